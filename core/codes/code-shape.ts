import { fail, type Result, succeed } from '#core/result';

export interface CodeShape {
  /** For each character a pattern's placeholder, or the character itself in lower case. */
  readonly places: readonly string[];
  /** False for a short form, since ordinary words with gaps would match it. */
  readonly mayHaveGaps: boolean;
}

export type CodePatternProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-long'; readonly limit: number }
  /** It has fewer than `least` placeholders, so ordinary words and numbers would match. */
  | { readonly kind: 'too-loose'; readonly least: number };

const maxPatternLength = 128;
const minOpenPlaces = 6;
const minOpenPlacesForGaps = 16;
const maxGapsInGroups = 2;

/**
 * Two placeholders for the forms of marketplaces: any visible ASCII character, and a prefix chosen by the seller. They
 * are private-use characters, which nobody types, because in a seller's pattern every other character is literal.
 */
export const anyCharacter = '\uE000';
export const anyPrefix = '\uE001';

/** Maps each placeholder of a pattern to the lower-case characters that it matches. */
const placeholders: ReadonlyMap<string, RegExp> = new Map([
  ['A', /[a-z]/],
  ['9', /\d/],
  ['X', /[a-z\d]/],
  ['H', /[a-f\d]/],
  [anyCharacter, /[!-~]/],
]);

/** A prefix chosen by the seller, with the separator before the eight digits that follow. */
const prefix = /[\w-]{1,40}?[_-](?=[\da-f]{8}-)/iy;

/**
 * Parses a pattern in the syntax of `Dialect.codePattern`. Patterns have no repetition, so matching is linear in the text.
 * @param pattern at most 128 UTF-16 units after trimming, with 6 placeholders or more
 */
export function parseCodePattern(pattern: string): Result<CodeShape, CodePatternProblem> {
  const places = placesOf(pattern);
  if (places.length === 0) return fail({ kind: 'empty' });
  if (places.length > maxPatternLength) return fail({ kind: 'too-long', limit: maxPatternLength });
  const shape = shapeOf(pattern);
  return shape === undefined ? fail({ kind: 'too-loose', least: minOpenPlaces }) : succeed(shape);
}

/** Returns the shape that `parseCodePattern` gives, or undefined if it refuses the pattern. */
export function shapeOf(pattern: string): CodeShape | undefined {
  const places = placesOf(pattern);
  const open = places.filter((place) => placeholders.has(place)).length;
  if (open < minOpenPlaces || places.length > maxPatternLength) return undefined;
  // After a gap, a pattern that matches any character would swallow ordinary words.
  return { places, mayHaveGaps: open >= minOpenPlacesForGaps && !places.includes(anyCharacter) };
}

function placesOf(pattern: string): string[] {
  return pattern
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .trim()
    .split('')
    .map((character) => (placeholders.has(character) ? character : character.toLowerCase()));
}

/** The lengths of the groups of the common form, in hexadecimal digits. */
export const commonGroups: readonly number[] = [8, 4, 4, 4, 12];

/** The common form. UUID version and variant are ignored, because deployments do not follow them. */
export const uuidForm: CodeShape = {
  mayHaveGaps: true,
  places: commonGroups
    .map((length) => 'H'.repeat(length))
    .join('-')
    .split(''),
};

export interface ShapeMatch {
  /** The code as typed, without its gaps. */
  readonly code: string;
  /** Index after its last character. */
  readonly end: number;
  /** Whether it has gaps: then it may be part of a longer run of words. */
  readonly hasGaps: boolean;
}

/**
 * Reads a code of this shape at an index of a text in its plain form. A gap (spaces or a line break) may surround a
 * dash, replace it, or break groups at two places at most. Reads a bounded number of characters.
 * @returns undefined if no such code begins there
 */
export function matchShape(
  { places, mayHaveGaps }: CodeShape,
  text: string,
  start: number,
): ShapeMatch | undefined {
  const gapFrom = (from: number): number => (mayHaveGaps ? afterGap(text, from) : from);
  let [at, code, gapsInGroups] = [start, '', 0];
  for (const place of places) {
    const from = at;
    if (place === '-') {
      at = gapFrom(at);
      const [dash = ''] = /^[-–]{1,2}/.exec(text.slice(at, at + (mayHaveGaps ? 2 : 1))) ?? [];
      if (dash !== '') at = gapFrom(at + dash.length);
      if (at === from) return undefined;
      code += '-';
      continue;
    }
    if (place === anyPrefix && code === '') {
      prefix.lastIndex = at;
      code = prefix.exec(text)?.[0] ?? '';
      at += code.length;
      if (code === '') return undefined;
      continue;
    }
    if (!fits(place, text.charAt(at))) {
      gapsInGroups += 1;
      if (gapsInGroups > maxGapsInGroups || code === '' || code.endsWith('-')) return undefined;
      at = gapFrom(at);
      if (at === from || !fits(place, text.charAt(at))) return undefined;
    }
    code += text.charAt(at);
    at += 1;
  }
  // Without a special character it may as well be another service's secret key.
  if (places.includes(anyCharacter) && !/\W/.test(code)) return undefined;
  const written = text.slice(start, at).replaceAll('–', '-');
  const hasGaps = written !== code;
  // With gaps, digits alone would be a row of numbers, and letters alone a run of words.
  const isCode = !hasGaps || (/\d/.test(code) && (/[a-z-]/i.test(written) || !code.includes('-')));
  return isCode ? { code, end: at, hasGaps } : undefined;
}

/** Tells whether a code is the start of this shape, cut off, and not a number. */
export function isBeginning({ places }: CodeShape, code: string): boolean {
  return (
    /[a-z]/i.test(code) &&
    code.split('').every((character, at) => fits(places[at] ?? '', character))
  );
}

function fits(place: string, character: string): boolean {
  const lower = character.toLowerCase();
  return placeholders.get(place)?.test(lower) ?? lower === place;
}

const brokenLine = /[ \t]{0,8}(?:\r\n|[\r\n])(?:[ \t]{0,12}(?:\r\n|[\r\n]))?[ \t]{0,12}/y;
const spaces = /[ \t]{1,3}/y;

/** Returns the index after a gap at `at`, or `at` itself if there is no gap. */
function afterGap(text: string, at: number): number {
  for (const gap of [brokenLine, spaces]) {
    gap.lastIndex = at;
    if (gap.test(text)) return gap.lastIndex;
  }
  return at;
}
