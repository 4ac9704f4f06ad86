import { correctedSpelling } from '#core/check/corrected-spelling';

/** The digits that letters beyond F are mistaken for. */
const digitFor: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1', z: '2', s: '5' };

/**
 * Suggests the common form that a code was most likely meant to have: letters beyond F read as the digits they look like, in
 * groups of 8-4-4-4-12. `correctedSpelling` corrects only what can hardly be meant otherwise, so that it can be asked about
 * unseen; this is for a person to judge.
 * @returns undefined when the code is spelled so already, or has other letters or another length
 *
 * @example likelySpelling('4e2e8b4d-l234-4afa-b5d1-of1b4e2d9c7o') // '4e2e8b4d-1234-4afa-b5d1-0f1b4e2d9c70'
 */
export function likelySpelling(code: string): string | undefined {
  const digits = code.toLowerCase().replaceAll(/[oilzs]/g, (letter) => digitFor[letter] ?? letter);
  if (!/^[0-9a-f]{32}$/.test(digits.replaceAll('-', '').trim())) return undefined;
  const likely = correctedSpelling(digits) ?? digits;
  return likely === code ? undefined : likely;
}
