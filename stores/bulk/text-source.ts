import {
  createUtf8Check,
  detectEncoding,
  type TextEncodingName,
  type Workbook,
  workbookOf,
} from '#core/tables/index';

/** How much is read to detect encoding and layout, in bytes or UTF-16 units. */
const sampleSize = 65_536;
/** How much is read at once, in bytes or UTF-16 units. */
const pieceSize = 262_144;

/**
 * Reads the beginning of a text. If it is cut, it is cut at a line break.
 * @throws when the file cannot be read
 */
export async function readSample(source: Blob | string): Promise<string> {
  const isCut = (typeof source === 'string' ? source.length : source.size) > sampleSize;
  const text = typeof source === 'string' ? source.slice(0, sampleSize) : await readHead(source);
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return isCut && end > 0 ? text.slice(0, end) : text;
}

async function readHead(file: Blob): Promise<string> {
  return new TextDecoder(await encodingOf(file)).decode(await headOf(file));
}

/**
 * Detects the encoding of a file from its beginning or, if that is ASCII, from the following text.
 * @throws when the file cannot be read
 */
export async function encodingOf(file: Blob): Promise<TextEncodingName> {
  const remembered = encodings.get(file);
  if (remembered !== undefined) return remembered;
  const encoding = await findEncoding(file);
  encodings.set(file, encoding);
  return encoding;
}

/** A cache, since the encoding is needed each time a file is read. */
const encodings = new WeakMap<Blob, TextEncodingName>();

async function findEncoding(file: Blob): Promise<TextEncodingName> {
  const head = await headOf(file);
  const isCut = file.size > head.length;
  const encoding = detectEncoding(head, isCut);
  if (!isCut || encoding !== 'utf-8' || head.some((byte) => byte > 0x7f)) return encoding;
  const isUtf8 = createUtf8Check();
  for (let at = head.length; at < file.size; at += pieceSize) {
    const piece = new Uint8Array(await file.slice(at, at + pieceSize).arrayBuffer());
    if (!isUtf8(piece, at + pieceSize >= file.size)) return 'windows-1252';
  }
  return 'utf-8';
}

export async function headOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.slice(0, sampleSize).arrayBuffer());
}

/**
 * Returns the program of a file that is a spreadsheet rather than text.
 * @throws when the file cannot be read
 */
export async function workbookIn(file: Blob): Promise<Workbook | undefined> {
  const tail = await file.slice(-Math.min(sampleSize, file.size)).arrayBuffer();
  return workbookOf(await headOf(file), new Uint8Array(tail));
}

/**
 * Reads a whole file in its detected encoding.
 * @throws when the file cannot be read
 */
export async function textOf(file: Blob): Promise<string> {
  return new TextDecoder(await encodingOf(file)).decode(await file.arrayBuffer());
}

/**
 * Reads a text in pieces, each with the share that has been read so far, 0 to 1. No character is split between pieces.
 * @throws when the file cannot be read
 */
export async function* readPieces(
  source: Blob | string,
): AsyncGenerator<{ readonly text: string; readonly share: number }> {
  if (typeof source === 'string') {
    for (let at = 0; at < source.length; at += pieceSize)
      yield { text: source.slice(at, at + pieceSize), share: shareOf(at, source.length) };
    return;
  }
  const decoder = new TextDecoder(await encodingOf(source));
  for (let at = 0; at < source.size; at += pieceSize) {
    const bytes = await source.slice(at, at + pieceSize).arrayBuffer();
    const stream = at + pieceSize < source.size;
    yield { text: decoder.decode(bytes, { stream }), share: shareOf(at, source.size) };
  }
}

/**
 * Copies a file piece by piece, so that later changes of it have no effect here.
 * @throws if the file cannot be read, or was shortened after it was chosen
 */
export async function copyOf(file: File): Promise<Blob> {
  const pieces: Blob[] = [];
  for (let at = 0; at < file.size; at += pieceSize)
    pieces.push(new Blob([await file.slice(at, at + pieceSize).arrayBuffer()]));
  const copy = new Blob(pieces, { type: file.type });
  if (copy.size !== file.size) throw new Error('The file was cut short.');
  return copy;
}

function shareOf(at: number, size: number): number {
  return Math.min(1, (at + pieceSize) / size);
}
