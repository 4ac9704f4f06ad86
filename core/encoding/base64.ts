/** How many arguments a call can take in every engine. */
const chunkBytes = 0x8000;

/** Encodes bytes as padded base64 (RFC 4648 section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += chunkBytes)
    binary += String.fromCharCode(...bytes.subarray(at, at + chunkBytes));
  return btoa(binary);
}

/**
 * Decodes base64 with or without padding, ignoring white space. Throws if a character is not in the alphabet. Several
 * texts decode to the same bytes here, so signed text is decoded with `bytes.ts` instead.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
