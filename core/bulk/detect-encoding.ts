/** How a file's bytes are to be read, by a label that every `TextDecoder` knows. */
export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Judges by the byte order mark, else by what only one encoding can be: UTF-16 text in Latin script has a zero in every
 * second byte, and text that is not valid UTF-8 was written by an old spreadsheet.
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

/** A character cut off by the end of the head does not count against it. */
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
