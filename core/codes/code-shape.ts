import { fail, type Result, succeed } from '#core/result';

/** Describes a form of codes: one place for each character. */
export interface CodeShape {
  readonly places: readonly Place[];
  /** False for a short form, since ordinary words with gaps would match it. */
  readonly mayHaveGaps: boolean;
}

type Place = 'letter' | 'digit' | 'either' | 'hex' | 'any' | '*' | { readonly literal: string };

/** Names why a pattern is refused. */
export type CodePatternProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-long'; readonly limit: number }
  /** It has fewer than `least` placeholders, so that ordinary words and numbers would match. */
  | { readonly kind: 'too-loose'; readonly least: number };

const maxPatternLength = 128;
const minOpenPlaces = 6;
const minOpenPlacesForGaps = 16;
const maxGapsInGroups = 2;

const placeholders: Readonly<Record<string, Place>> = {
  A: 'letter',
  '9': 'digit',
  X: 'either',
  H: 'hex',
  // Any visible sign of ASCII. No seller's own pattern has this one.
  '¤': 'any',
};

/** A prefix that a seller has chosen, with the sign between it and the eight digits that follow. */
const prefix = /[\w-]{1,40}?[_-](?=[\da-f]{8}-)/iy;

/**
 * Parses a pattern in the syntax of `Dialect.codePattern`. Patterns have no repetition, so matching is linear in the text.
 * @param pattern at most 128 UTF-16 units after trimming, with 6 placeholders or more
 */
export function parseCodePattern(pattern: string): Result<CodeShape, CodePatternProblem> {
  const trimmed = pattern
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .trim();
  if (trimmed === '') return fail({ kind: 'empty' });
  if (trimmed.length > maxPatternLength) return fail({ kind: 'too-long', limit: maxPatternLength });
  const places = trimmed.split('').map(placeOf);
  const open = places.filter((place) => typeof place === 'string').length;
  if (open < minOpenPlaces) return fail({ kind: 'too-loose', least: minOpenPlaces });
  // A gap would be the end of a code whose signs may be any.
  const mayHaveGaps = open >= minOpenPlacesForGaps && !places.includes('any');
  return succeed({ places, mayHaveGaps });
}

function placeOf(sign: string, at: number): Place {
  return (
    (at === 0 && sign === '*' ? sign : placeholders[sign]) ?? {
      literal: /[A-Z]/.test(sign) ? sign.toLowerCase() : sign,
    }
  );
}

/** Describes the common form: 8-4-4-4-12 hexadecimal digits. UUID version and variant are ignored, as deployments do not follow them. */
export const uuidForm: CodeShape = {
  mayHaveGaps: true,
  places: 'HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH'.split('').map(placeOf),
};

/** Holds a code that matches a shape. */
export interface ShapeMatch {
  /** The code as typed, without its gaps. */
  readonly code: string;
  /** Index after its last character. */
  readonly end: number;
  /** True where it has gaps: it may be a part of a row of other words. */
  readonly hasGaps: boolean;
}

/** Holds how far a code has been read. */
interface Reading {
  /** Index of the next character to read. */
  at: number;
  code: string;
  dashes: number;
  /** Dashes that were replaced by a gap. */
  missingDashes: number;
  gapsAtDashes: number;
  gapsInGroups: number;
}

/**
 * Reads a code of this shape at an index of a text in its plain form. A gap (spaces, or a line break) may
 * stand around a dash, replace it, or break groups at two places at most. Reads a bounded number of characters.
 * @returns undefined where no such code begins
 */
export function matchShape(shape: CodeShape, text: string, start: number): ShapeMatch | undefined {
  const reading: Reading = {
    at: start,
    code: '',
    dashes: 0,
    missingDashes: 0,
    gapsAtDashes: 0,
    gapsInGroups: 0,
  };
  const gapFrom = shape.mayHaveGaps ? (at: number) => afterGap(text, at) : (at: number) => at;
  for (const place of shape.places) {
    const isRead = isDash(place)
      ? readDash(reading, text, gapFrom)
      : readSign(reading, text, place, gapFrom);
    if (!isRead) return undefined;
  }
  const { code, at: end, gapsAtDashes, gapsInGroups } = reading;
  // Without an odd sign it is as likely the secret key of another service.
  if (shape.places.includes('any') && !/\W/.test(code)) return undefined;
  return isPlausible(reading) ? { code, end, hasGaps: gapsAtDashes + gapsInGroups > 0 } : undefined;
}

function isDash(place: Place): boolean {
  return typeof place === 'object' && place.literal === '-';
}

/** Reads a dash with the gaps around it, or a gap in its place. */
function readDash(reading: Reading, text: string, gapFrom: (at: number) => number): boolean {
  const before = gapFrom(reading.at);
  const isThere = text[before] === '-' || text[before] === '–';
  if (!isThere && before === reading.at) return false;
  const after = isThere ? gapFrom(before + 1) : before;
  reading.dashes += 1;
  reading.missingDashes += Number(!isThere);
  reading.gapsAtDashes += Number(!isThere || after - reading.at > 1);
  reading.code += '-';
  reading.at = after;
  return true;
}

/** Reads one character, after a gap when it is inside a group. */
function readSign(
  reading: Reading,
  text: string,
  place: Place,
  gapFrom: (at: number) => number,
): boolean {
  if (place === '*') {
    prefix.lastIndex = reading.at;
    reading.code = prefix.exec(text)?.[0] ?? '';
    reading.at += reading.code.length;
    return reading.code !== '';
  }
  if (!fits(place, text.charCodeAt(reading.at))) {
    const isInGroup = reading.code !== '' && !reading.code.endsWith('-');
    const after = isInGroup ? gapFrom(reading.at) : reading.at;
    if (reading.gapsInGroups === maxGapsInGroups) return false;
    if (!fits(place, text.charCodeAt(after))) return false;
    reading.gapsInGroups += 1;
    reading.at = after;
  }
  reading.code += text.charAt(reading.at);
  reading.at += 1;
  return true;
}

/** Tells whether a repaired match is a code rather than a row of numbers or a run of words. */
function isPlausible({
  code,
  dashes,
  missingDashes,
  gapsAtDashes,
  gapsInGroups,
}: Reading): boolean {
  const isRepaired = gapsAtDashes + gapsInGroups > 0;
  if (isRepaired && !/\d/.test(code)) return false;
  return missingDashes === 0 || missingDashes < dashes || /[a-z]/i.test(code);
}

/** Tells whether a code of this shape can begin with a UTF-16 unit, as a cheap test before `matchShape`. */
export function couldBegin(shape: CodeShape, unit: number): boolean {
  const [first] = shape.places;
  return first !== undefined && fits(first, unit);
}

function fits(place: Place, unit: number): boolean {
  const isDigit = unit >= 0x30 && unit <= 0x39;
  const lower = unit | 0x20;
  const isLetter = lower >= 0x61 && lower <= 0x7a;
  if (typeof place === 'object') {
    return (isLetter ? String.fromCharCode(lower) : String.fromCharCode(unit)) === place.literal;
  }
  switch (place) {
    case 'letter':
      return isLetter;
    case 'digit':
      return isDigit;
    case 'hex':
      return isDigit || (isLetter && lower <= 0x66);
    case 'any':
      return unit > 0x20 && unit < 0x7f;
    case 'either':
    case '*':
      return isLetter || isDigit;
  }
}

const brokenLine = /[ \t]{0,8}(?:\r\n|[\r\n])(?:[ \t]{0,12}(?:\r\n|[\r\n]))?[ \t]{0,12}/y;
const spaces = /[ \t]{1,3}/y;

/** Returns the index after a gap at `at`; `at` itself where there is none. */
function afterGap(text: string, at: number): number {
  for (const gap of [brokenLine, spaces]) {
    gap.lastIndex = at;
    if (gap.test(text)) return gap.lastIndex;
  }
  return at;
}
