import type { Bytes } from '#core/license/encoding/bytes';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Int8Array(128).fill(-1);
for (const [value, letter] of Array.from(ALPHABET).entries()) VALUES[letter.charCodeAt(0)] = value;

/** Encodes bytes as unpadded base64url (RFC 4648 section 5). */
export function encodeBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += ALPHABET.charAt(group >> 18) + ALPHABET.charAt((group >> 12) & 63);
    if (left > 1) text += ALPHABET.charAt((group >> 6) & 63);
    if (left > 2) text += ALPHABET.charAt(group & 63);
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
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = VALUES[text.charCodeAt(index)] ?? -1;
    if (value < 0) return undefined;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[at] = (bits >> held) & 0xff;
      at += 1;
    }
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : undefined;
}

/** Turns classic base64 into base64url, its padding dropped. Says nothing about whether the result decodes. */
export function base64UrlOfBase64(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
