import { contextOf } from '#core/check/code-context';
import {
  type CodeShape,
  couldBegin,
  matchShape,
  parseCodePattern,
  uuidForm,
} from '#core/check/code-shape';
import { findLabelledCodes, mayHoldLabelled } from '#core/check/labelled-code';
import { normaliseText } from '#core/text/clean';

/** Holds a code and its position. */
export interface LocatedCode {
  /** As it will be sent: corrected, but in the case as typed, since a server may be case-sensitive. */
  readonly code: string;
  /** Its position in the original text, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** `uuid-form`: 8-4-4-4-12 hexadecimal digits. `pattern`: a connection's `codePattern`. `labelled`: any form after a label. */
  readonly kind: 'uuid-form' | 'pattern' | 'labelled';
}

/** Hyphens join two words; all other dashes separate them. */
const hyphens = new Set(['-', '\u2010', '\u2011']);

/**
 * Locates every purchase code in a text, in order, repeated codes included. Never throws; linear in the text.
 * @param patterns forms set for connections (`Dialect.codePattern`); an invalid pattern is ignored
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
  const isFree = (at: number): boolean => taken[at] === 0;
  if (mayHoldLabelled(text, isFree))
    for (const labelled of findLabelledCodes(text)) {
      const free = isFree(labelled.start) && isFree(labelled.end - 1);
      if (free && !isSomethingElse(labelled.start, labelled.end))
        found.push({ ...labelled, kind: 'labelled' });
    }
  return found.sort((one, other) => one.start - other.start);
}
