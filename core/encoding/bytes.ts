/** Bytes that WebCrypto accepts: never backed by shared memory. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the bytes, copied only if they are in memory that another thread could change. */
export function ownBytes(bytes: Uint8Array): Bytes {
  return isOwn(bytes) ? bytes : new Uint8Array(bytes);
}

function isOwn(bytes: Uint8Array): bytes is Bytes {
  return bytes.buffer instanceof ArrayBuffer;
}

export function utf8(text: string): Bytes {
  return encoder.encode(text);
}

/** Decodes strict UTF-8, keeping a byte order mark; `undefined` if the bytes are not UTF-8. */
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

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const letterValues = /* @__PURE__ */ valuesOfLetters();

function valuesOfLetters(): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (const [value, letter] of Array.from(alphabet).entries())
    values[letter.charCodeAt(0)] = value;
  return values;
}

/** Encodes bytes as unpadded base64url (RFC 4648 section 5). */
export function encodeBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += alphabet.charAt(group >> 18) + alphabet.charAt((group >> 12) & 63);
    if (left > 1) text += alphabet.charAt((group >> 6) & 63);
    if (left > 2) text += alphabet.charAt(group & 63);
  }
  return text;
}

/**
 * Decodes unpadded, canonical base64url: no other character, no padding, no set bit after the last byte. Each byte
 * string has exactly one spelling, so a signed text cannot be changed without breaking its signature.
 */
export function decodeBase64Url(text: string): Bytes | undefined {
  const tail = text.length % 4;
  if (tail === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  const valueAt = (index: number): number => letterValues[text.charCodeAt(index)] ?? -1;
  const whole = text.length - tail;
  let at = 0;
  for (let index = 0; index < whole; index += 4) {
    const group =
      (valueAt(index) << 18) |
      (valueAt(index + 1) << 12) |
      (valueAt(index + 2) << 6) |
      valueAt(index + 3);
    // A character outside the alphabet makes the whole group negative.
    if (group < 0) return undefined;
    bytes[at] = group >> 16;
    bytes[at + 1] = group >> 8;
    bytes[at + 2] = group;
    at += 3;
  }
  if (tail === 0) return bytes;
  const third = tail === 3 ? valueAt(whole + 2) : 0;
  const group = (valueAt(whole) << 18) | (valueAt(whole + 1) << 12) | (third << 6);
  bytes[at] = group >> 16;
  if (tail === 3) bytes[at + 1] = group >> 8;
  const unused = tail === 3 ? 0xff : 0xffff;
  return group >= 0 && (group & unused) === 0 ? bytes : undefined;
}

/** Decodes classic base64, with or without padding, as strictly as `decodeBase64Url`; undefined if it is not base64. */
export function decodeStrictBase64(text: string): Bytes | undefined {
  return decodeBase64Url(base64UrlOfBase64(text));
}

/** Converts classic base64 to base64url without padding. The result may still be undecodable. */
export function base64UrlOfBase64(text: string): string {
  return text
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/(?<!=)=+$/, '');
}
