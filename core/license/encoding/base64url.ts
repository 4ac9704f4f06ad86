import type { Bytes } from '#core/license/encoding/bytes';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const letterValues = new Int8Array(128).fill(-1);
for (const [value, letter] of Array.from(alphabet).entries())
  letterValues[letter.charCodeAt(0)] = value;

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
 * Decodes unpadded, canonical base64url: no other letter, no padding, no set bit after the last byte.
 * One byte string has exactly one spelling, so nobody can vary a signed text without breaking it.
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
    // One letter outside the alphabet makes the whole group negative.
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

/** Decodes classic base64, with or without padding, as strictly as `decodeBase64Url`; undefined when it is none. */
export function decodeStrictBase64(text: string): ReturnType<typeof decodeBase64Url> {
  return decodeBase64Url(base64UrlOfBase64(text));
}

/** Turns classic base64 into base64url, its padding dropped. Says nothing about whether the result decodes. */
export function base64UrlOfBase64(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
