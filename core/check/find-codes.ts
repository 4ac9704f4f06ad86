import { type LocatedCode, locateCodes } from '#core/check/locate-codes';
import { fullWidth, invisible, oddDash } from '#core/text/clean';

/** What was mended between the text and the code. */
export type CodeRepair =
  'spaces' | 'line-breaks' | 'invisible-characters' | 'dashes' | 'full-width';

export interface FoundCode extends LocatedCode {
  readonly repaired: readonly CodeRepair[];
}

/**
 * Finds the purchase codes in a text, each once, in the order of their first appearance. Never throws; linear in the text.
 *
 * Two spellings of hexadecimal digits that differ in case alone are one code; other forms differ by case.
 * @param patterns the connections' own forms (`Dialect.codePattern`); one that cannot be read is passed over.
 */
export function findCodes(
  text: string,
  { patterns = [] }: { readonly patterns?: readonly string[] } = {},
): FoundCode[] {
  const codes = new Map<string, FoundCode>();
  for (const located of locateCodes(text, patterns)) {
    const { code, start, end } = located;
    const identity = identityOf(code);
    if (codes.has(identity)) continue;
    codes.set(identity, { ...located, repaired: repairsOf(text.slice(start, end), code) });
  }
  return [...codes.values()];
}

function identityOf(code: string): string {
  return /^[a-f\d-]+$/i.test(code) ? code.toLowerCase() : code;
}

function repairsOf(source: string, code: string): CodeRepair[] {
  const repairs: CodeRepair[] = [];
  const sameLine = source.replace(/[^\S\r\n]*=?[\r\n\u2028\u2029\v\f\u0085][\s>|]*/g, '');
  if (sameLine !== source) repairs.push('line-breaks');
  if (/\s/.test(sameLine.replaceAll('\uFEFF', ''))) repairs.push('spaces');
  if (invisible.test(source)) repairs.push('invisible-characters');
  const dashes = (text: string): number => text.split('-').length;
  if (oddDash.test(source) || dashes(source) < dashes(code)) repairs.push('dashes');
  if (fullWidth.test(source)) repairs.push('full-width');
  return repairs;
}
