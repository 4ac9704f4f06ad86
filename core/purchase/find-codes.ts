import { contextOf } from '#core/purchase/code-context';
import { couldBegin, matchShape, parseCodePattern, uuidForm } from '#core/purchase/code-shape';
import type { CodeShape } from '#core/purchase/code-shape';
import { findLabelledCodes } from '#core/purchase/labelled-code';
import { cleanText, fullWidth, invisible, oddDash } from '#core/text/clean';

/** What was mended between the text and the code. */
export type Repair = 'spaces' | 'line-breaks' | 'invisible-characters' | 'dashes' | 'full-width';

export interface FoundCode {
  /** As it will be asked: mended, in the case it was typed in, since a server may tell cases apart. */
  readonly code: string;
  /** Where it stands in the text as given, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly repaired: readonly Repair[];
  /** `uuid-form`: 8-4-4-4-12 hexadecimal digits. `pattern`: the connection's own. `labelled`: any form, by the name before it. */
  readonly kind: 'uuid-form' | 'pattern' | 'labelled';
}

/** They join two words; every other dash parts them. */
const hyphens = new Set(['-', '\u2010', '\u2011']);

interface Candidate {
  readonly code: string;
  readonly start: number;
  readonly end: number;
  readonly kind: FoundCode['kind'];
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
  const clean = cleanText(text);
  const shapes = patterns.flatMap((pattern) => {
    const shape = parseCodePattern(pattern);
    return shape.ok ? [shape.value] : [];
  });
  const codes = new Map<string, FoundCode>();
  const candidates = candidatesIn(clean.text, shapes, (index) =>
    hyphens.has(text.charAt(clean.offsetOf(index))),
  );
  for (const { code, kind, ...range } of candidates) {
    const identity = identityOf(code);
    if (codes.has(identity)) continue;
    const start = clean.offsetOf(range.start);
    const end = clean.offsetOf(range.end - 1) + 1;
    codes.set(identity, {
      code,
      start,
      end,
      repaired: repairsOf(text.slice(start, end), code),
      kind,
    });
  }
  return [...codes.values()];
}

function candidatesIn(
  text: string,
  patterns: readonly CodeShape[],
  joins: (index: number) => boolean,
): Candidate[] {
  const { beginsHere, endsHere, isSomethingElse } = contextOf(text, joins);
  const kinds = [
    { kind: 'uuid-form' as const, shape: uuidForm },
    ...patterns.map((shape) => ({ kind: 'pattern' as const, shape })),
  ];
  const taken = new Uint8Array(text.length);
  const found: Candidate[] = [];
  for (let at = 0; at < text.length; at += 1) {
    for (const { kind, shape } of kinds) {
      if (!couldBegin(shape, text.charCodeAt(at)) || !beginsHere(at)) continue;
      const match = matchShape(shape, text, at);
      if (match === undefined || !endsHere(match.end)) continue;
      taken.fill(1, at, match.end);
      if (!isSomethingElse(at, match.end)) found.push({ ...match, start: at, kind });
      at = match.end - 1;
      break;
    }
  }
  for (const labelled of findLabelledCodes(text)) {
    const free = taken[labelled.start] === 0 && taken[labelled.end - 1] === 0;
    if (free && !isSomethingElse(labelled.start, labelled.end)) {
      found.push({ ...labelled, kind: 'labelled' });
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

function identityOf(code: string): string {
  return /^[a-f\d-]+$/i.test(code) ? code.toLowerCase() : code;
}

function repairsOf(source: string, code: string): Repair[] {
  const repairs: Repair[] = [];
  const sameLine = source.replace(/[^\S\r\n]*=?[\r\n\u2028\u2029\v\f\u0085][\s>|]*/g, '');
  if (sameLine !== source) repairs.push('line-breaks');
  if (/\s/.test(sameLine.replaceAll('\uFEFF', ''))) repairs.push('spaces');
  if (invisible.test(source)) repairs.push('invisible-characters');
  const dashes = (text: string): number => text.split('-').length;
  if (oddDash.test(source) || dashes(source) < dashes(code)) repairs.push('dashes');
  if (fullWidth.test(source)) repairs.push('full-width');
  return repairs;
}
