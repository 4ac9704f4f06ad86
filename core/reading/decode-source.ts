import { ownBytes, utf8 } from '#core/encoding/index';
import { fileLimitBytes } from '#core/reading/file-limit';
import type { TransportId } from '#core/reading/reading';
import { fail, type Result, succeed } from '#core/result';
import { detectEncoding } from '#core/tables/index';

/** Why a source contains nothing that could be judged. */
export type SourceFault =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-large'; readonly limitBytes: number }
  | { readonly kind: 'zip' }
  | { readonly kind: 'image' }
  | { readonly kind: 'pdf' }
  /** An office document. */
  | { readonly kind: 'office' }
  | { readonly kind: 'binary' }
  /** JSON that is nested too deep. */
  | { readonly kind: 'too-deep' }
  /** A key rather than a license, apparently a public one. */
  | { readonly kind: 'key' }
  /** A private key, which must be replaced now that it was shared. */
  | { readonly kind: 'private-key' };

/** A repair that a text needed before it could be read, and how often. No repair can make a false signature valid. */
export interface TextRepair {
  readonly id: RepairId;
  readonly count: number;
}

export type RepairId =
  /** A byte order mark at its beginning. */
  | 'byte-order-mark'
  /** UTF-16 text. */
  | 'utf-16'
  /** Bytes that are not UTF-8, read as Latin-1. */
  | 'not-utf-8'
  | 'line-breaks'
  | 'spaces'
  | 'invisible-characters'
  /** `>` at the beginning of lines. */
  | 'mail-quotes'
  /** Quotation marks, brackets or backquotes around it. */
  | 'quotation-marks'
  /** `-----BEGIN …-----` and its end. */
  | 'armour'
  /** A word before it, such as `License:`. */
  | 'label'
  /** Other text around it. */
  | 'surrounding-text'
  /** `=` at the end of a segment. */
  | 'padding'
  /** `+` and `/` of classic base64. */
  | 'base64-alphabet'
  /** Typographic dashes in place of `-`. */
  | 'dashes'
  /** A transport encoding that was undone, such as that of a link (`core/reading`). */
  | TransportId
  /** JSON text inside a JSON string. */
  | 'nested-json';

export interface DecodedSource {
  readonly text: string;
  readonly repairs: readonly TextRepair[];
}

/** Decodes the text of a file or of pasted input. If it is clearly not text, the fault names what it is. */
export function decodeSource(source: string | Uint8Array): Result<DecodedSource, SourceFault> {
  const bytes = typeof source === 'string' ? sizeOf(source) : source.length;
  if (bytes > fileLimitBytes) return fail({ kind: 'too-large', limitBytes: fileLimitBytes });
  const decoded = typeof source === 'string' ? textSource(source) : decodeBytes(source);
  return decoded.ok && decoded.value.text.trim() === '' ? fail({ kind: 'empty' }) : decoded;
}

function sizeOf(text: string): number {
  const surelyWithin = text.length * 3 <= fileLimitBytes;
  return surelyWithin || text.length > fileLimitBytes ? text.length : utf8(text).length;
}

function textSource(text: string): Result<DecodedSource, SourceFault> {
  return text.includes('\0') ? fail({ kind: 'binary' }) : succeed(withoutMark(text, []));
}

function withoutMark(text: string, repairs: readonly TextRepair[]): DecodedSource {
  return text.startsWith('\uFEFF')
    ? { text: text.slice(1), repairs: [{ id: 'byte-order-mark', count: 1 }, ...repairs] }
    : { text, repairs };
}

function decodeBytes(source: Uint8Array): Result<DecodedSource, SourceFault> {
  const known = kindByMagic(source);
  if (known !== undefined) return fail({ kind: known });
  const bytes = ownBytes(source);
  const encoding = detectEncoding(bytes, false);
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  const isWide = encoding.startsWith('utf-16');
  if (text.includes('\0') || (!isWide && manyControls(bytes))) return fail({ kind: 'binary' });
  const repair = isWide ? 'utf-16' : 'not-utf-8';
  return succeed(withoutMark(text, encoding === 'utf-8' ? [] : [{ id: repair, count: 1 }]));
}

function manyControls(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 4096);
  const controls = sample.filter((byte) => byte < 9 || (byte > 13 && byte < 32) || byte === 127);
  return controls.length > 2 && controls.length * 20 > sample.length;
}

/* oxlint-disable no-control-regex -- such files begin with control characters */
/** The beginnings of files that are not text, in Latin-1. */
const magic = [
  ['office', /^PK\u0003\u0004.*(?:word\/|xl\/|ppt\/|\[Content_Types\]|mimetypeapplication\/)/s],
  [
    'zip',
    /^(?:PK\u0003\u0004|PK\u0005\u0006|\u001F\x8B[\b]|7z\xBC\xAF'\u001C|Rar!\u001A\u0007|\xFD7zXZ\0|\(\xB5\/\xFD)/,
  ],
  ['image', /^(?:\x89PNG\r\n\u001A\n|\xFF\xD8\xFF|GIF8[79]a|II\*\0|MM\0\*)/],
  ['image', /^(?:RIFF.{4}WEBP|.{4}ftyp(?:heic|heix|mif1|avif)|BM.{4}\0{4})/s],
  ['pdf', /^%PDF-/],
  ['office', /^\xD0\xCF\u0011\xE0\xA1\xB1\u001A\xE1/],
] as const;
/* oxlint-enable no-control-regex */

function kindByMagic(bytes: Uint8Array): (typeof magic)[number][0] | undefined {
  // An office document is recognised by the names of the first files in its archive.
  const length = bytes[0] === 0x50 ? 4096 : 16;
  const head = String.fromCharCode(...bytes.subarray(0, length));
  return magic.find(([, begins]) => begins.test(head))?.[0];
}

export class RepairTally {
  readonly #counts = new Map<RepairId, number>();

  add(id: RepairId, count = 1): void {
    if (count > 0) this.#counts.set(id, (this.#counts.get(id) ?? 0) + count);
  }

  /** Counts the matches of a pattern in a text. */
  addMatches(id: RepairId, text: string, pattern: RegExp): void {
    this.add(id, text.match(pattern)?.length ?? 0);
  }

  addAll(repairs: readonly TextRepair[]): void {
    for (const { id, count } of repairs) this.add(id, count);
  }

  /** Lists the repairs in the order in which each kind first occurred. */
  list(): TextRepair[] {
    return Array.from(this.#counts, ([id, count]) => ({ id, count }));
  }
}
