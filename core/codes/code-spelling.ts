import { commonGroups } from '#core/codes/code-shape';

/** Tells whether two spellings are the same purchase code, by {@link canonicalCode}. */
export function sameCode(one: string, other: string): boolean {
  return canonicalCode(one) === canonicalCode(other);
}

/**
 * Returns the canonical spelling of a code. Ignores case. Dashes are ignored if there are 32 hexadecimal digits; in
 * other forms they count.
 *
 * Use it to group codes for display: codes found in a text, duplicates in a bulk check, chips, earlier checks.
 * Requests, caches and comparisons over time use the exact spelling, since a server may distinguish spellings.
 *
 * @example canonicalCode('8678C3CD-2A21-4AFA-B5D1-0F1B4E2D9C70') // '8678c3cd2a214afab5d10f1b4e2d9c70'
 */
export function canonicalCode(code: string): string {
  const folded = code.trim().toLowerCase();
  const digits = folded.replaceAll('-', '');
  return /^[0-9a-f]{32}$/.test(digits) ? digits : folded;
}

/**
 * Suggests the most likely spelling of a code that was not found. 32 hexadecimal digits become lower case in groups of
 * 8-4-4-4-12, with 0 for each O; a code of another form without capitals becomes capitals.
 * @returns the corrected spelling, or undefined if the code already has it or no other spelling is likelier
 *
 * @example correctedSpelling('8678C3CD2A214AFAB5D1OF1B4E2D9C7O') // '8678c3cd-2a21-4afa-b5d1-0f1b4e2d9c70'
 */
export function correctedSpelling(code: string): string | undefined {
  const digits = code.trim().toLowerCase().replaceAll('-', '').replaceAll('o', '0');
  const likely = /^[0-9a-f]{32}$/.test(digits) ? inGroups(digits) : inCapitals(code.trim());
  return likely === code ? undefined : likely;
}

/** Formats 32 digits in the groups of the common form. */
function inGroups(digits: string): string {
  let at = 0;
  return commonGroups.map((length) => digits.slice(at, (at += length))).join('-');
}

/** Writes a code in capitals. Mixed case may be intended and is left alone. */
function inCapitals(code: string): string {
  return /[A-Z]/.test(code) ? code : code.toUpperCase();
}

/** The digits that letters beyond F are mistaken for. */
const digitFor: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1', z: '2', s: '5' };

/**
 * Suggests the common form that was most likely intended: letters beyond F are read as the digits they look like, in
 * groups of 8-4-4-4-12. Unlike `correctedSpelling`, whose safe corrections are checked without asking, this is a
 * suggestion for a person to judge.
 * @returns undefined if the code is already spelled so, or has other letters or another length
 *
 * @example likelySpelling('4e2e8b4d-l234-4afa-b5d1-of1b4e2d9c7o') // '4e2e8b4d-1234-4afa-b5d1-0f1b4e2d9c70'
 */
export function likelySpelling(code: string): string | undefined {
  const digits = code.toLowerCase().replaceAll(/[oilzs]/g, (letter) => digitFor[letter] ?? letter);
  if (!/^[0-9a-f]{32}$/.test(digits.replaceAll('-', '').trim())) return undefined;
  const likely = correctedSpelling(digits) ?? digits;
  return likely === code ? undefined : likely;
}

/**
 * Masks a code so that it can be recognised but not used: `8678…9c70`. Keeps the first and last four letters or digits,
 * fewer if the code is short, and never more than two in five. Hexadecimal digits become lower case, since their case
 * means nothing. A masked code is returned unchanged.
 */
export function maskCode(code: string): string {
  if (code === '' || isMasked(code)) return code;
  const shown = code.replaceAll('-', '');
  const characters = Array.from(/^[0-9a-f]{32}$/i.test(shown) ? shown.toLowerCase() : shown);
  const kept = Math.min(4, Math.floor(characters.length / 5));
  return `${characters.slice(0, kept).join('')}…${characters.slice(characters.length - kept).join('')}`;
}

export function isMasked(code: string): boolean {
  return code.includes('…');
}

/** Shortens a code to its two ends, for a line that has no room for more: cd2a…fc0f. */
export function shortenCode(code: string): string {
  return code.length > 12 ? `${code.slice(0, 4)}…${code.slice(-4)}` : code;
}
