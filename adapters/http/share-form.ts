import { fail, type Result, succeed } from '#core/result';
import { maxShareBytes } from '#core/site/share-rule';

/**
 * Reads a posted form, and stops reading as soon as it is over the cap.
 * @param maxBytes cap of the whole request body
 * @throws if the body breaks off or is no form
 */
export async function readShareForm(
  request: Request,
  maxBytes = maxShareBytes,
): Promise<Result<FormData, 'too-large'>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      await reader?.cancel().catch(() => undefined);
      return fail('too-large');
    }
    chunks.push(value);
  }
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  return succeed(await new Response(new Blob(chunks), { headers }).formData());
}
