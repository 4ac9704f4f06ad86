import { locateCodes } from '#core/purchase/locate-codes';

/** One text node, as it follows the one before it. */
export interface Piece {
  readonly text: string;
  /** What the layout puts before it: nothing or a space within a line, a line break between lines and blocks. */
  readonly joint: '' | ' ' | '\n';
}

/** Where in a passage: a piece, and UTF-16 units from its beginning. */
export interface Spot {
  readonly piece: number;
  readonly offset: number;
}

export interface CodePlace {
  readonly code: string;
  /** At its first character. */
  readonly start: Spot;
  /** After its last character, in the piece of that character. */
  readonly end: Spot;
}

/**
 * Finds codes in text that is spread over several nodes, as mail programs break it, and says in which nodes each begins
 * and ends.
 * @param patterns see `locateCodes`
 */
export function findPlaces(pieces: readonly Piece[], patterns: readonly string[]): CodePlace[] {
  const starts: number[] = [];
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) text += piece.joint;
    starts.push(text.length);
    text += piece.text;
  }
  const spotOf = (at: number): Spot => {
    const piece = starts.findLastIndex((start) => start <= at);
    return { piece, offset: at - (starts[piece] ?? 0) };
  };
  return locateCodes(text, patterns).map(({ code, start, end }) => {
    const last = spotOf(end - 1);
    return { code, start: spotOf(start), end: { piece: last.piece, offset: last.offset + 1 } };
  });
}

/** Letters, digits and dashes in a row, at least; shorter ones belong to no code that `findCodes` finds without a pattern. */
const leastRun = 8;

/**
 * A look so cheap that every text node of a page can have it: whether a code could stand here, in whole or in part. True
 * far too often, and false only where none does. All that is not ASCII counts as part of a code, as it may be a mended sign.
 * @param least the length of the shortest form, where a connection has one that is shorter
 */
export function mayHoldCode(text: string, least = leastRun): boolean {
  if (text.length < least || !/\d/.test(text)) return false;
  let run = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isDigit = unit >= 0x30 && unit <= 0x39;
    const lower = unit | 0x20;
    if (isDigit || unit === 0x2d || unit >= 0x80 || (lower >= 0x61 && lower <= 0x7a)) {
      run += 1;
      if (isDigit || unit >= 0xff10) digits += 1;
      if (run >= least && digits > 0) return true;
    } else {
      run = 0;
      digits = 0;
    }
  }
  return false;
}
