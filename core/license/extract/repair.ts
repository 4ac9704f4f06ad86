/** Tells what was put right in a text before it could be read, and how often. Nothing here can make a false signature hold. */
export interface TextRepair {
  readonly id: RepairId;
  readonly count: number;
}

export type RepairId =
  /** A byte order mark at its beginning. */
  | 'byte-order-mark'
  /** UTF-16 read as such. */
  | 'utf-16'
  /** Bytes that are no UTF-8, read as Latin-1. */
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
  /** Soft line ends (`=` before a line break) and `=3D` of quoted-printable mail. */
  | 'quoted-printable'
  /** `%2E` and the like, from a URL. */
  | 'percent-encoding'
  /** JSON text inside a JSON string. */
  | 'nested-json';
