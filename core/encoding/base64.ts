/** How many arguments one call takes, in any engine. */
const chunkBytes = 0x8000;

/** Encodes bytes as padded base64 (RFC 4648 section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += chunkBytes)
    binary += String.fromCharCode(...bytes.subarray(at, at + chunkBytes));
  return btoa(binary);
}

/**
 * Decodes base64, with or without padding; white space in it is passed over. Throws where a letter is none of the
 * alphabet. More than one text stands for the same bytes: what is signed is decoded by `bytes.ts`.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
