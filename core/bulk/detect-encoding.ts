/** Names the encoding of a file by its `TextDecoder` label. */
export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Detects the encoding of a file by its byte order mark. Without one, many zero bytes at even or odd positions mean UTF-16, and
 * invalid UTF-8 means Windows-1252.
 * @param head the first bytes of the file, a few thousand
 * @param isCut whether the file has more; its last character may be cut off then
 */
export function detectEncoding(head: Uint8Array<ArrayBuffer>, isCut: boolean): TextEncodingName {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = { even: 0, odd: 0 };
  for (const [at, byte] of head.entries())
    if (byte === 0) zeros[at % 2 === 0 ? 'even' : 'odd'] += 1;
  const many = head.length / 5;
  if (zeros.odd > many) return 'utf-16le';
  if (zeros.even > many) return 'utf-16be';
  return createUtf8Check()(head, !isCut) ? 'utf-8' : 'windows-1252';
}

/** Creates a check whether the pieces of a file are UTF-8, to be given one after the other; a character may be cut in two. */
export function createUtf8Check(): (piece: Uint8Array<ArrayBuffer>, isLast: boolean) => boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (piece, isLast) => {
    try {
      decoder.decode(piece, { stream: !isLast });
      return true;
    } catch {
      return false;
    }
  };
}
