/** Holds bytes that WebCrypto takes as they are: never backed by shared memory. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the same bytes, copied only when they lie in memory that another thread could change. */
export function ownBytes(bytes: Uint8Array): Bytes {
  return isOwn(bytes) ? bytes : new Uint8Array(bytes);
}

function isOwn(bytes: Uint8Array): bytes is Bytes {
  return bytes.buffer instanceof ArrayBuffer;
}

export function utf8(text: string): Bytes {
  return encoder.encode(text);
}

/** Decodes strict UTF-8, a byte order mark kept; `undefined` when the bytes are not UTF-8. */
export function textOfUtf8(bytes: Uint8Array): string | undefined {
  const text = decoder.decode(ownBytes(bytes));
  if (!text.includes('\uFFFD')) return text;
  return equalBytes(utf8(text), bytes) ? text : undefined;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Writes bytes as lower-case hexadecimal digits. */
export function hexOf(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

/** Reads hexadecimal digits in either case; `undefined` for anything else. */
export function bytesOfHex(hex: string): Bytes | undefined {
  if (hex.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(hex)) return undefined;
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  }
  return bytes;
}
