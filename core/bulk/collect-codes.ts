import { classifyInput } from '#core/check/classify-input';
import { canonicalCode } from '#core/check/same-code';

/** One code to ask about, however often it was handed over. */
export interface CollectedCode {
  readonly code: string;
  /** The line of the text it stood on first, from 1. */
  readonly line: number;
  /** How often it was there, 1 at least. */
  readonly times: number;
}

export interface CodeCollector {
  /** Takes the codes of one cell, line or stretch of text. */
  add(text: string, line: number): void;
  readonly codes: readonly CollectedCode[];
  /** Lines that were not empty and gave no code. */
  readonly passedOver: number;
  /** More than {@link maxCodes} were there: the rest was left. */
  readonly cut: boolean;
}

/** The most codes of one job. */
export const maxCodes = 50_000;

/**
 * Folds spellings of one code into one. In a list or a column a token in an unusual form is asked about as well, as long as it
 * has a digit in it: words do not. In prose only what has the form of a code counts.
 */
export function createCodeCollector(
  from: 'cells' | 'prose',
  patterns: readonly string[] = [],
): CodeCollector {
  const found = new Map<string, { code: string; line: number; times: number }>();
  let passedOver = 0;
  let cut = false;

  function take(code: string, line: number): void {
    const name = canonicalCode(code);
    const present = found.get(name);
    if (present !== undefined) present.times += 1;
    else if (found.size >= maxCodes) cut = true;
    else found.set(name, { code, line, times: 1 });
  }

  return {
    add(text, line) {
      const input = classifyInput(text, { patterns });
      if (input.kind === 'codes') for (const { code } of input.codes) take(code, line);
      else if (input.kind === 'odd' && from === 'cells' && /\d/u.test(input.code))
        take(input.code, line);
      else if (input.kind !== 'empty') passedOver += 1;
    },
    get codes() {
      return [...found.values()];
    },
    get passedOver() {
      return passedOver;
    },
    get cut() {
      return cut;
    },
  };
}
