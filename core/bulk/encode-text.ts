import type { TextEncodingName } from '#core/bulk/detect-encoding';

/**
 * Encodes text, the counterpart of a `TextDecoder`.
 * @returns undefined when the encoding has no place for a character of the text
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

/** Tells whether a file begins with the byte order mark of its encoding. */
export function hasByteOrderMark(
  head: Uint8Array<ArrayBuffer>,
  encoding: TextEncodingName,
): boolean {
  const mark = encodeText('\uFEFF', encoding);
  return mark?.every((byte, at) => head[at] === byte) === true;
}
