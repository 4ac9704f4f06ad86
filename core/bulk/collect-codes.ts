import { classifyInput } from '#core/check/classify-input';
import { canonicalCode } from '#core/check/code-spelling';

/** Holds one code to check and how often the text has it. */
export interface CollectedCode {
  readonly code: string;
  /** The line it was found on first, from 1; in prose, the first line of its paragraph. */
  readonly line: number;
  /** How often it was found; at least 1. */
  readonly times: number;
}

/** Collects codes; each is kept once. */
export interface CodeCollector {
  /** Collects the codes of one cell, line or paragraph. */
  add(text: string, line: number): void;
  readonly codes: readonly CollectedCode[];
  /** Cells and lines that were not empty and had no code. Not counted in prose. */
  readonly withoutCode: number;
  /** Whether codes beyond {@link maxCodes} were left out. */
  readonly truncated: boolean;
}

/** Limits the codes of one job. */
export const maxCodes = 50_000;

/**
 * Returns the codes of one cell, line or paragraph, each once. In cells a token of an unusual form counts when it has a digit.
 * @param patterns see `findCodes`
 */
export function codesIn(
  text: string,
  from: 'cells' | 'prose',
  patterns: readonly string[],
): string[] {
  const input = classifyInput(text, { patterns });
  if (input.kind === 'codes') return input.codes.map(({ code }) => code);
  return input.kind === 'odd' && from === 'cells' && /\d/u.test(input.code) ? [input.code] : [];
}

/**
 * Creates a collector of at most {@link maxCodes} codes, found by {@link codesIn}; spellings of one code count as one.
 * @param patterns see `findCodes`
 */
export function createCodeCollector(
  from: 'cells' | 'prose',
  patterns: readonly string[] = [],
): CodeCollector {
  const found = new Map<string, { code: string; line: number; times: number }>();
  let withoutCode = 0;
  let truncated = false;

  function collect(code: string, line: number): void {
    const name = canonicalCode(code);
    const present = found.get(name);
    if (present !== undefined) present.times += 1;
    else if (found.size >= maxCodes) truncated = true;
    else found.set(name, { code, line, times: 1 });
  }

  return {
    add(text, line) {
      const codes = codesIn(text, from, patterns);
      for (const code of codes) collect(code, line);
      if (codes.length === 0 && from === 'cells' && text.trim() !== '') withoutCode += 1;
    },
    get codes() {
      return [...found.values()];
    },
    get withoutCode() {
      return withoutCode;
    },
    get truncated() {
      return truncated;
    },
  };
}
