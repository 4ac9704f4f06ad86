import { locateCodes } from '#core/check/locate-codes';

/** One text node, as it follows the one before it. */
export interface TextPiece {
  readonly text: string;
  /** What the layout puts before it: nothing or a space within a line, a line break between lines and blocks. */
  readonly joint: '' | ' ' | '\n';
}

/** Where in a passage: a piece, and UTF-16 units from its beginning. */
export interface TextPosition {
  readonly piece: number;
  readonly offset: number;
}

export interface CodePosition {
  readonly code: string;
  /** At its first character. */
  readonly start: TextPosition;
  /** After its last character, in the piece of that character. */
  readonly end: TextPosition;
}

/**
 * Finds codes in text that is spread over several nodes, as mail programs break it, and says in which nodes each begins
 * and ends.
 * @param patterns see `locateCodes`
 */
export function findCodePositions(
  pieces: readonly TextPiece[],
  patterns: readonly string[],
): CodePosition[] {
  const starts: number[] = [];
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) text += piece.joint;
    starts.push(text.length);
    text += piece.text;
  }
  const positionOf = (at: number): TextPosition => {
    const piece = starts.findLastIndex((start) => start <= at);
    return { piece, offset: at - (starts[piece] ?? 0) };
  };
  return locateCodes(text, patterns).map(({ code, start, end }) => {
    const last = positionOf(end - 1);
    return { code, start: positionOf(start), end: { piece: last.piece, offset: last.offset + 1 } };
  });
}

/** Letters, digits and dashes in a row, at least; shorter ones belong to no code that `locateCodes` finds without a pattern. */
const minRunLength = 8;
/** The same, where no letter is among them: longer than a date. */
const minDigits = 11;

/**
 * A look so cheap that every text node of a page can have it: whether a code could stand here, in whole or in its greater
 * part. True too often; false where none stands, but for named codes of less than eleven digits alone. All that is not ASCII
 * counts as part of a code, as it may be a mended sign.
 * @param minLength the length of the shortest form, where a connection has one that is shorter
 */
export function mayHoldCode(text: string, minLength = minRunLength): boolean {
  if (text.length < minLength) return false;
  // Only the runs around digits are walked through: most of a page has none.
  anyDigit.lastIndex = 0;
  while (anyDigit.test(text)) {
    let end = anyDigit.lastIndex;
    let start = end - 1;
    while (isPart(text.charCodeAt(start - 1))) start -= 1;
    while (isPart(text.charCodeAt(end))) end += 1;
    const length = end - start;
    if (length >= minDigits || (length >= minLength && anyLetter.test(text.slice(start, end))))
      return true;
    anyDigit.lastIndex = end;
  }
  return false;
}

const anyDigit = /[\d\uFF10-\uFF19]/g;
const anyLetter = /[a-z\u0080-\uFFFF]/i;

/** Beyond either end of a text there is `NaN`, which is no part of anything. */
function isPart(unit: number): boolean {
  const lower = unit | 0x20;
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    (lower >= 0x61 && lower <= 0x7a) ||
    unit === 0x2d ||
    unit >= 0x80
  );
}
