import { canonicalCode, classifyInput } from '#core/codes/index';

/**
 * Where a code was found: in the chosen column, in a column whose codes have a known form, alone on a line, in a
 * heading, or in prose.
 */
export type CodeSource = 'column' | 'known-column' | 'line' | 'heading' | 'prose';

/** One code to check, and how often it occurs in the text. */
export interface CollectedCode {
  readonly code: string;
  /** The line it was found on first, from 1; in prose, the first line of its paragraph. */
  readonly line: number;
  /** How often it was found; at least 1. */
  readonly times: number;
}

/** A non-empty cell or line in which no code was found, and why. In prose, what of a line may still be a code. */
export interface PassedOver {
  readonly line: number;
  /** The first characters of it. */
  readonly text: string;
  /** `odd`: it has the form of a code, but of none that is known. */
  readonly kind: 'nothing' | 'odd' | 'license' | 'too-long';
}

/** Collects distinct codes. */
export interface CodeCollector {
  /**
   * Collects the codes of one cell, line or paragraph.
   * @param lines the number of each line of a paragraph
   */
  add(text: string, line: number, lines?: readonly number[]): void;
  readonly codes: readonly CollectedCode[];
  /** How many non-empty cells and lines had no code; in prose, how many lines have a token like a code of another form. */
  readonly withoutCode: number;
  /** The first {@link maxPassedOver} of them. */
  readonly passedOver: readonly PassedOver[];
  /** Empty cells of a column. */
  readonly blank: number;
  /** Whether codes beyond {@link maxCodes} were left out. */
  readonly truncated: boolean;
}

const maxCodes = 50_000;

/** Limits for the list of cells and lines without a code: its length, and the UTF-16 units kept of each. */
const maxPassedOver = 100;
const maxShown = 80;

/** Tells whether a token among words may be a code. Words have no digits, and codes nearly always do. */
function isUnlikeWord(token: string): boolean {
  const isName = /^[A-Z]+(?:-[A-Z]+)+$/u.test(token);
  return /\d/u.test(token) || (isName && !/code|key|licen[cs]e|purchase/iu.test(token));
}

/** Tells whether a token of an unusual form counts as a code. Choosing a column means that its cells are codes. */
const takesOdd: Readonly<Record<CodeSource, (token: string) => boolean>> = {
  column: () => true,
  'known-column': isUnlikeWord,
  line: isUnlikeWord,
  heading: (token) => /\d/u.test(token),
  prose: () => false,
};

/**
 * Returns the distinct codes of one cell, line or paragraph.
 * @param patterns see `locateCodes`
 */
export function codesIn(text: string, from: CodeSource, patterns: readonly string[]): string[] {
  const read = readPlace(text, from, patterns, false);
  return Array.isArray(read) ? read : [];
}

/** Returns the codes, or why there are none. */
function readPlace(
  text: string,
  from: CodeSource,
  patterns: readonly string[],
  withRepeats: boolean,
): string[] | PassedOver['kind'] | 'empty' {
  const input = classifyInput(text, { patterns }, withRepeats ? (found) => found : undefined);
  if (input.kind === 'codes') return input.codes.map(({ code }) => code);
  // Shops join the keys of an order in one cell.
  const parts = from.endsWith('column') ? text.split(/\s?[,;|]\s?/u) : [];
  if (input.kind === 'nothing' && parts.length > 1) {
    const codes = parts.flatMap((part) => codesIn(part, 'known-column', patterns));
    if (codes.length === parts.length) return codes;
  }
  if (input.kind !== 'odd') return input.kind;
  return takesOdd[from](input.code) && input.isInText !== true ? [input.code] : 'nothing';
}

/** A line that is only a token with letters and digits. */
const loneToken = /^\s*(?=\S*\d)(?=\S*[A-Za-z])[A-Za-z\d-]{8,128}\s*$/u;

/** Among words: groups of capitals and digits that are neither hexadecimal nor a date, or a code with mistakes. */
const tokensInWords = [
  /(?<![\w./@<=-])(?!20\d\d-)(?=[A-Z-]*\d)(?=[A-F\d-]*[G-Z])(?:[A-Z\d]{2,12}-){3,9}[A-Z\d]{2,12}(?![\w@-]|\.\w)/gu,
  /(?<![\w./@<=-])(?=[a-z-]*\d)(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?!\w))[\da-foilzs]{6,10}(?:-[\da-foilzs]{3,6}){3}-[\da-foilzs]{8,16}(?![\w@-]|\.\w)/giu,
];

/** Returns what of a line of prose may be a code although it was not read as one. */
function oddTokensIn(line: string, codes: readonly string[], names: ReadonlySet<string>): string[] {
  // A part of a code that is broken over two lines has been read with it.
  if (loneToken.test(line)) return codes.some((code) => code.includes(line.trim())) ? [] : [line];
  return tokensInWords
    .flatMap((form) => line.match(form) ?? [])
    .filter((token) => !names.has(canonicalCode(token)));
}

/**
 * Creates a collector of at most {@link maxCodes} codes, found by {@link codesIn}; spellings of one code count as one.
 * @param patterns see `locateCodes`
 */
export function createCodeCollector(
  from: CodeSource,
  patterns: readonly string[] = [],
): CodeCollector {
  const found = new Map<string, { code: string; line: number; times: number }>();
  const passedOver: PassedOver[] = [];
  let withoutCode = 0;
  let blank = 0;
  let truncated = false;

  function collect(code: string, line: number): void {
    const name = canonicalCode(code);
    const present = found.get(name);
    if (present !== undefined) present.times += 1;
    else if (found.size >= maxCodes) truncated = true;
    else found.set(name, { code, line, times: 1 });
  }

  function passOver(text: string, line: number, kind: PassedOver['kind']): void {
    withoutCode += 1;
    if (passedOver.length < maxPassedOver)
      passedOver.push({ line, text: text.trim().slice(0, maxShown), kind });
  }

  return {
    add(text, line, lines = []) {
      const read = readPlace(text, from, patterns, true);
      if (Array.isArray(read)) for (const code of read) collect(code, line);
      else if (read === 'empty') blank += from.endsWith('column') ? 1 : 0;
      else if (from !== 'prose') passOver(text, line, read);
      if (from !== 'prose' || read === 'license') return;
      const codes = Array.isArray(read) ? read : [];
      const names = new Set(codes.map(canonicalCode));
      for (const [at, each] of text.split('\n').entries()) {
        const odd = oddTokensIn(each, codes, names);
        if (odd.length > 0) passOver(odd.join(', '), lines[at] ?? line, 'odd');
      }
    },
    get codes() {
      return [...found.values()];
    },
    get withoutCode() {
      return withoutCode;
    },
    passedOver,
    get blank() {
      return blank;
    },
    get truncated() {
      return truncated;
    },
  };
}
