import type { Bytes } from '#core/license/encoding/bytes';

export type DerKey =
  | { readonly kind: 'public'; readonly bytes: Bytes }
  | { readonly kind: 'private' }
  /** `algorithm`: a name where it is a common one, else the object identifier in hexadecimal. */
  | { readonly kind: 'other-algorithm'; readonly algorithm: string };

const algorithms: Readonly<Record<string, string>> = {
  '2a864886f70d010101': 'RSA',
  '2a8648ce3d0201': 'ECDSA',
  '2b656e': 'X25519',
  '2b656f': 'X448',
  '2b6571': 'Ed448',
};
const ed25519 = '2b6570';

interface Element {
  readonly tag: number;
  readonly content: Bytes;
  /** What follows it in its parent. */
  readonly rest: Bytes;
}

/**
 * Reads which key a DER structure is: SPKI (RFC 8410 section 4), or PKCS#8, of which nothing is read but that it is one.
 * `undefined` for anything else, trailing bytes included.
 */
export function readDerKey(der: Bytes): DerKey | undefined {
  const outer = readElement(der);
  if (outer?.tag !== 0x30 || outer.rest.length > 0) return undefined;
  const first = readElement(outer.content);
  if (first === undefined) return undefined;
  if (first.tag === 0x02) {
    const tag = readElement(first.rest)?.tag;
    if (tag === 0x30 || tag === 0x04) return { kind: 'private' };
    return tag === 0x02 ? rsaKey(first.rest) : undefined;
  }
  if (first.tag !== 0x30) return undefined;
  const algorithm = readElement(first.content);
  const key = readElement(first.rest);
  if (algorithm?.tag !== 0x06 || key?.tag !== 0x03 || key.rest.length > 0) return undefined;
  const oid = Array.from(algorithm.content, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (oid !== ed25519) return { kind: 'other-algorithm', algorithm: algorithms[oid] ?? oid };
  if (algorithm.rest.length > 0 || key.content[0] !== 0) return undefined;
  return { kind: 'public', bytes: key.content.slice(1) };
}

/** Reads a PKCS#1 key: two integers are a public key, more are a private one. */
function rsaKey(afterFirst: Bytes): DerKey {
  const second = readElement(afterFirst);
  return second !== undefined && second.rest.length > 0
    ? { kind: 'private' }
    : { kind: 'other-algorithm', algorithm: 'RSA' };
}

function readElement(der: Bytes): Element | undefined {
  const [tag, first] = der;
  if (tag === undefined || first === undefined) return undefined;
  const more = first < 0x80 ? 0 : first - 0x80;
  if (more > 2 || first === 0x80) return undefined;
  let length = more === 0 ? first : 0;
  for (let at = 0; at < more; at += 1) length = length * 256 + (der[2 + at] ?? 0);
  const from = 2 + more;
  if (from + length > der.length) return undefined;
  return { tag, content: der.slice(from, from + length), rest: der.slice(from + length) };
}
