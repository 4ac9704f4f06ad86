/** The encoding of a file by its `TextDecoder` label. */
export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Detects the encoding of a file by its byte order mark. Without one, many zero bytes at even or odd positions mean
 * UTF-16, and invalid UTF-8 means Windows-1252.
 * @param head the first bytes of the file, a few thousand
 * @param isCut whether the file has more bytes; then its last character may be cut off
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

/**
 * Creates a check whether a file is UTF-8; call it with each piece in order. A character may be split between pieces.
 */
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

/**
 * Encodes text, the counterpart of a `TextDecoder`.
 * @returns undefined if the encoding does not have a character of the text
 */
export function encodeText(
  text: string,
  encoding: TextEncodingName,
): Uint8Array<ArrayBuffer> | undefined {
  switch (encoding) {
    case 'utf-8':
      return new TextEncoder().encode(text);
    case 'utf-16le':
    case 'utf-16be':
      return encodeUtf16(text, encoding === 'utf-16le');
    case 'windows-1252':
      return encodeWindows1252(text);
  }
}

function encodeUtf16(text: string, isLittleEndian: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1)
    view.setUint16(at * 2, text.charCodeAt(at), isLittleEndian);
  return bytes;
}

let windows1252: ReadonlyMap<string, number> | undefined;

function encodeWindows1252(text: string): Uint8Array<ArrayBuffer> | undefined {
  const byteOf = (windows1252 ??= bytesOfWindows1252());
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const byte = byteOf.get(text.charAt(at));
    if (byte === undefined) return undefined;
    bytes[at] = byte;
  }
  return bytes;
}

function bytesOfWindows1252(): Map<string, number> {
  const decoded = new TextDecoder('windows-1252').decode(
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
  );
  return new Map(decoded.split('').map((character, byte) => [character, byte]));
}

export function hasByteOrderMark(
  head: Uint8Array<ArrayBuffer>,
  encoding: TextEncodingName,
): boolean {
  const mark = encodeText('\uFEFF', encoding);
  return mark?.every((byte, at) => head[at] === byte) === true;
}
