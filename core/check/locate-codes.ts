import { contextOf } from '#core/check/code-context';
import { couldBegin, matchShape, parseCodePattern, uuidForm } from '#core/check/code-shape';
import type { CodeShape } from '#core/check/code-shape';
import { findLabelledCodes } from '#core/check/labelled-code';
import { normaliseText } from '#core/text/clean';

/** A code where it stands. */
export interface LocatedCode {
  /** As it will be asked: mended, in the case it was typed in, since a server may tell cases apart. */
  readonly code: string;
  /** Where it stands in the text as given, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** `uuid-form`: 8-4-4-4-12 hexadecimal digits. `pattern`: the connection's own. `labelled`: any form, by the name before it. */
  readonly kind: 'uuid-form' | 'pattern' | 'labelled';
}

/** They join two words; every other dash parts them. */
const hyphens = new Set(['-', '\u2010', '\u2011']);

/**
 * Every place in a text where a purchase code stands, in order, the same code as often as it is there. Never throws; linear in
 * the text.
 * @param patterns the connections' own forms (`Dialect.codePattern`); one that cannot be read is passed over.
 */
export function locateCodes(text: string, patterns: readonly string[]): LocatedCode[] {
  const clean = normaliseText(text);
  const shapes = patterns.flatMap((pattern) => {
    const shape = parseCodePattern(pattern);
    return shape.ok ? [shape.value] : [];
  });
  return candidatesIn(clean.text, shapes, (index) =>
    hyphens.has(text.charAt(clean.offsetOf(index))),
  ).map(({ code, kind, start, end }) => ({
    code,
    kind,
    start: clean.offsetOf(start),
    end: clean.offsetOf(end - 1) + 1,
  }));
}

function candidatesIn(
  text: string,
  patterns: readonly CodeShape[],
  joins: (index: number) => boolean,
): LocatedCode[] {
  const { beginsHere, endsHere, isSomethingElse } = contextOf(text, joins);
  const kinds = [
    { kind: 'uuid-form' as const, shape: uuidForm },
    ...patterns.map((shape) => ({ kind: 'pattern' as const, shape })),
  ];
  const taken = new Uint8Array(text.length);
  const found: LocatedCode[] = [];
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
