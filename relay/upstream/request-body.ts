import type { SellerRequest } from '#core/seller/exchange';

/** Holds a request's body with the headers that describe it. */
export interface EncodedBody {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Encodes the body of a request; a multipart body gets its boundary here. */
export async function encodeBody({ body }: SellerRequest): Promise<EncodedBody> {
  if (body === undefined) return { bytes: new Uint8Array(), headers: {} };
  if (body.type === 'text') return withLength(Buffer.from(body.text), {});
  const form = new FormData();
  for (const [name, value] of body.fields) form.append(name, value);
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return withLength(new Uint8Array(await encoded.arrayBuffer()), { 'Content-Type': type });
}

function withLength(bytes: Uint8Array, headers: Record<string, string>): EncodedBody {
  return { bytes, headers: { ...headers, 'Content-Length': String(bytes.length) } };
}
