import { fail, succeed } from '#core/result';
import type { Result } from '#core/result';
import { normaliseText } from '#core/text/clean';

/** A form that codes have, one entry for each of its characters. */
export interface CodeShape {
  readonly places: readonly Place[];
  /** Short forms must stand as they are: with gaps allowed, ordinary words would fit them. */
  readonly mayHaveGaps: boolean;
}

type Place = 'letter' | 'digit' | 'either' | 'hex' | { readonly literal: string };

export type CodePatternProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-long'; readonly limit: number }
  /** So few places that ordinary words and numbers would be taken for codes. */
  | { readonly kind: 'too-loose'; readonly least: number };

const longestPattern = 128;
const leastPlaces = 6;
const leastPlacesWithGaps = 16;
const mostGapsInGroups = 2;

const placeholders: Readonly<Record<string, Place>> = {
  A: 'letter',
  '9': 'digit',
  X: 'either',
  H: 'hex',
};

/** Reads the pattern syntax of `Dialect.codePattern`. Every pattern matches in time linear in the text: nothing in it repeats. */
export function parseCodePattern(pattern: string): Result<CodeShape, CodePatternProblem> {
  const trimmed = normaliseText(pattern).text.trim();
  if (trimmed === '') return fail({ kind: 'empty' });
  if (trimmed.length > longestPattern) return fail({ kind: 'too-long', limit: longestPattern });
  const places = trimmed
    .split('')
    .map(
      (sign): Place =>
        placeholders[sign] ?? { literal: /[A-Z]/.test(sign) ? sign.toLowerCase() : sign },
    );
  const open = places.filter((place) => typeof place === 'string').length;
  if (open < leastPlaces) return fail({ kind: 'too-loose', least: leastPlaces });
  return succeed({ places, mayHaveGaps: open >= leastPlacesWithGaps });
}

/** 8-4-4-4-12 hexadecimal digits of any version and variant: deployments issue codes that no UUID standard knows. */
export const uuidForm: CodeShape = {
  mayHaveGaps: true,
  places: [8, 4, 4, 4, 12].flatMap((length, group): Place[] => [
    ...(group === 0 ? [] : [{ literal: '-' }]),
    ...Array.from({ length }, () => 'hex' as const),
  ]),
};

export interface ShapeMatch {
  /** As typed, without what stood between its characters. */
  readonly code: string;
  /** Index after its last character. */
  readonly end: number;
}

/**
 * Reads one code of this shape at `start` of a clean text. Spaces and broken lines, the marks of quoted mail among them, may
 * stand around a dash, in place of one, or at two places within groups. Looks at no more than a bounded stretch of the text.
 */
export function matchShape(shape: CodeShape, text: string, start: number): ShapeMatch | undefined {
  let code = '';
  let at = start;
  let gaps = 0;
  let dashes = 0;
  let lostDashes = 0;
  let gapsInGroups = 0;
  for (const place of shape.places) {
    const isDash = typeof place === 'object' && place.literal === '-';
    if (isDash) {
      const before = shape.mayHaveGaps ? afterGap(text, at) : at;
      const found = text[before] === '-';
      if (!found && before === at) return undefined;
      const after =
        found && shape.mayHaveGaps ? afterGap(text, before + 1) : before + Number(found);
      gaps += Number(after - at > 1 || !found);
      dashes += 1;
      lostDashes += Number(!found);
      code += '-';
      at = after;
      continue;
    }
    if (!fits(place, text.charCodeAt(at))) {
      const inGroup = code !== '' && !code.endsWith('-');
      const after = inGroup && shape.mayHaveGaps ? afterGap(text, at) : at;
      gapsInGroups += 1;
      if (after === at || gapsInGroups > mostGapsInGroups || !fits(place, text.charCodeAt(after)))
        return undefined;
      at = after;
    }
    code += text.charAt(at);
    at += 1;
  }
  const mended = gaps + gapsInGroups > 0;
  // Rows of numbers and runs of words fall into groups too: what is mended must look like a code all the more.
  if (mended && !/\d/.test(code)) return undefined;
  if (lostDashes > 0 && lostDashes === dashes && !/[a-z]/i.test(code)) return undefined;
  return { code, end: at };
}

/** Whether a code of this shape could begin with the UTF-16 unit: a cheap look before a close one. */
export function couldBegin(shape: CodeShape, unit: number): boolean {
  const [first] = shape.places;
  return first !== undefined && fits(first, unit);
}

function fits(place: Place, unit: number): boolean {
  const isDigit = unit >= 0x30 && unit <= 0x39;
  const lower = unit | 0x20;
  const isLetter = unit < 0x80 && lower >= 0x61 && lower <= 0x7a;
  if (typeof place === 'object') {
    return (isLetter ? String.fromCharCode(lower) : String.fromCharCode(unit)) === place.literal;
  }
  switch (place) {
    case 'letter':
      return isLetter;
    case 'digit':
      return isDigit;
    case 'either':
      return isLetter || isDigit;
    case 'hex':
      return isDigit || (isLetter && lower <= 0x66);
  }
}

const brokenLine = /[ \t]{0,8}=?(?:\r\n|[\r\n])(?:[ \t>|]{0,12}(?:\r\n|[\r\n]))?[ \t>|]{0,12}/y;
const spaces = /[ \t]{1,3}/y;

/** The index after a gap at `at`, or `at` itself where there is none. */
function afterGap(text: string, at: number): number {
  for (const gap of [brokenLine, spaces]) {
    gap.lastIndex = at;
    if (gap.test(text)) return gap.lastIndex;
  }
  return at;
}
