/** Names the encoding of a file by its `TextDecoder` label. */
export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Detects the encoding of a file by its byte order mark. Without one, many zero bytes at even or odd positions mean UTF-16, and
 * invalid UTF-8 means Windows-1252.
 * @param head the first bytes of the file, a few thousand
 */
export function detectEncoding(head: Uint8Array<ArrayBuffer>): TextEncodingName {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = { even: 0, odd: 0 };
  for (const [at, byte] of head.entries())
    if (byte === 0) zeros[at % 2 === 0 ? 'even' : 'odd'] += 1;
  const many = head.length / 5;
  if (zeros.odd > many) return 'utf-16le';
  if (zeros.even > many) return 'utf-16be';
  return isUtf8(head) ? 'utf-8' : 'windows-1252';
}

/** Tells whether the bytes are UTF-8, apart from a last character that is cut off. */
function isUtf8(head: Uint8Array<ArrayBuffer>): boolean {
  for (const cut of [0, 1, 2, 3]) {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(head.subarray(0, head.length - cut));
      return true;
    } catch {
      // The next cut may hold.
    }
  }
  return false;
}
