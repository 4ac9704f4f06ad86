import { type LocatedCode, locateCodes } from '#core/check/locate-codes';
import { canonicalCode } from '#core/check/same-code';
import { fullWidth, invisible, oddDash } from '#core/text/clean';

/** Names what was corrected in the text to read a code. */
export type CodeRepair =
  | 'spaces'
  | 'line-breaks'
  | 'invisible-characters'
  | 'dashes'
  | 'full-width';

/** Holds a code, its first position, and the corrections made to read it. */
export interface FoundCode extends LocatedCode {
  readonly repaired: readonly CodeRepair[];
}

/**
 * Finds the purchase codes in a text, each once, in the spelling and order of their first appearance. `canonicalCode` decides
 * which spellings are the same code. Never throws; linear in the text.
 * @param options.patterns forms set for connections (`Dialect.codePattern`); an invalid pattern is ignored
 *
 * @example
 * findCodes('Purchase code: 8678c3cd - 2a21 - 4afa - b5d1 - 0f1b4e2d9c70, thanks')
 * // [{ code: '8678c3cd-2a21-4afa-b5d1-0f1b4e2d9c70', kind: 'uuid-form', start: 15, end: 59, repaired: ['spaces'] }]
 */
export function findCodes(
  text: string,
  { patterns = [] }: { readonly patterns?: readonly string[] } = {},
): FoundCode[] {
  const codes = new Map<string, FoundCode>();
  for (const located of locateCodes(text, patterns)) {
    const { code, start, end } = located;
    const name = canonicalCode(code);
    if (codes.has(name)) continue;
    codes.set(name, { ...located, repaired: repairsOf(text.slice(start, end), code) });
  }
  return [...codes.values()];
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
