/**
 * Reads a whole body, as pieces. Stops and returns undefined as soon as it exceeds `limit` bytes. Rejects if the body
 * breaks off.
 */
export async function readUpTo(
  limit: number,
  { body }: Pick<Response, 'body'>,
): Promise<Uint8Array<ArrayBuffer>[] | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return pieces;
    size += value.byteLength;
    if (size > limit) {
      await reader?.cancel().catch(() => undefined);
      return undefined;
    }
    pieces.push(value);
  }
}
