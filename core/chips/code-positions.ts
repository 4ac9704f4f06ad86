import { anyCharacter, locateCodes } from '#core/codes/index';

/** The text of one text node and what separates it from the one before. */
export interface TextPiece {
  readonly text: string;
  /** The separator before it: nothing or a space within a line, a line break between lines and blocks. */
  readonly joint: '' | ' ' | '\n';
}

/** A position in a passage: the index of a piece, and an offset in it in UTF-16 units. */
export interface TextPosition {
  readonly piece: number;
  readonly offset: number;
}

export interface CodePosition {
  readonly code: string;
  /** The position of its first character. */
  readonly start: TextPosition;
  /** After its last character, in the piece of that character. */
  readonly end: TextPosition;
}

/**
 * Finds codes in text that is spread over several text nodes, and returns the start and end of each. Linear in the
 * text.
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

/** The shortest run of letters, digits and dashes that `locateCodes` finds without a pattern. */
const minRunLength = 8;
/** The shortest run without letters: longer than a date. */
const minDigits = 11;

/** Tells cheaply whether a text node may hold a code or the greater part of one. */
export type CodeTest = (text: string) => boolean;

/**
 * Creates the test for a page's text nodes. It has false positives. It misses labelled codes that consist of fewer than
 * 11 digits, and codes without a digit that are not groups of capitals. Characters beyond ASCII count as part of a
 * code, since they may be typographic forms.
 * @param patterns see `locateCodes`
 */
export function createCodeTest(patterns: readonly string[]): CodeTest {
  const minLength = Math.min(minRunLength, ...patterns.map(({ length }) => length));
  // Only the fixed beginning of such a pattern can be searched for.
  const starts = patterns.filter((pattern) => pattern.includes(anyCharacter)).map(startOf);
  return (text) =>
    text.length >= minLength &&
    (groupsOfCapitals.test(text) ||
      starts.some((start) => text.includes(start)) ||
      holdsLongRun(text, minLength));
}

function startOf(pattern: string): string {
  return pattern.slice(0, pattern.indexOf(anyCharacter));
}

function holdsLongRun(text: string, minLength: number): boolean {
  // Reads only the runs around digits, since most of a page has none.
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

/** Groups of capitals, as in a key without digits: QWER-TYUI */
const groupsOfCapitals = /[A-Z]{3}[-\u2010-\u2015][A-Z]{3}/;
const anyDigit = /[\d\uFF10-\uFF19]/g;
const anyLetter = /[a-z\u0080-\uFFFF]/i;

/** Returns false for `NaN`, which stands for the unit before or after a text. */
function isPart(unit: number): boolean {
  const lower = unit | 0x20;
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    (lower >= 0x61 && lower <= 0x7a) ||
    unit === 0x2d ||
    unit >= 0x80
  );
}
