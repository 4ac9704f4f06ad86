import { decodeBase64Url, isJsonObject, parseStrictJson, textOfUtf8 } from '#core/encoding/index';
import {
  indexUpTo,
  plainForm,
  readingOf,
  type RepairTally,
  type Stretch,
} from '#core/reading/index';

/** A compact document read from a text, and its stretch of the text. */
export interface FoundToken {
  /** Free of spaces and padding, in the base64url alphabet. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The same, including text joined to its beginning, if any: its payload may be more than the JSON at its end. */
  readonly glued?: string;
  /** Whether its payload is a JSON object. */
  readonly isDocument: boolean;
}

/** Marks where something was cut out. No document extends across it. */
export const cutMark = '\u0001';
/** The minimum length of a document, even a damaged one. */
export const minTokenLetters = 40;
const maxTokenLetters = 90_000;
/** 64 bytes in base64url; the last character holds two bits. */
const signatureLetters = 86;
const signaturePattern = /^[^.]{85}[AQgw]$/;
/** How many characters may be decoded in search of beginnings. This limits the time of the search. */
const searchBudget = 4_000_000;

interface Search {
  budget: number;
}

/**
 * Finds compact documents in a text, even if lines, quotes or words interrupt them. A signature has a fixed length, so
 * it ends 86 characters after a dot. The payload begins at the nearest position before it where JSON begins.
 */
export function findTokens(text: string): FoundToken[] {
  const plain = plainForm(readingOf(text));
  const search: Search = { budget: searchBudget };
  const cleaned = withHyphens(plain.text).replace(armour, cut).replace(rule, cut);
  return runsOf(cleaned)
    .flatMap((run) => tokensIn(run, search))
    .map((token) => ({
      ...token,
      from: plain.startOf(token.from),
      to: plain.endOf(token.to - 1),
    }));
}

/** The lines around a document, as in `-----BEGIN LICENSE-----`. */
const armour = /(?<!-)-{3,}\s?(?:BEGIN|END)\b[^\r\n-]{0,80}-{3,}/gi;
const rule = /^[ \t]*([-=_*~#])\1{3,}[ \t]*$/gm;

/** Replaces the dashes that word processors write for a token's hyphens, after a letter. */
export function withHyphens(plain: string): string {
  return plain.replaceAll(/(?<=[\w.–-])–/g, '-');
}

function cut(found: string): string {
  return cutMark.repeat(found.length);
}

function tokensIn(run: Run, search: Search): FoundToken[] {
  const found: FoundToken[] = [];
  /** The first piece that is not part of a document yet. */
  let free = 0;
  for (const { index: dot } of run.letters.matchAll(/\./g)) {
    const end = pieceAt(run, dot) < free ? undefined : signatureEnd(run, dot);
    if (end === undefined) continue;
    const start = payloadStart(run, free, dot, search);
    found.push(...damagedIn(run, free, pieceAt(run, start.at)), tokenOf(run, start, end));
    free = pieceAt(run, end - 1) + 1;
  }
  return [...found, ...damagedIn(run, free, run.pieces.length)];
}

/** Returns where the signature after a dot ends, if nothing but a word was joined to it. */
function signatureEnd(run: Run, dot: number): number | undefined {
  const end = dot + 1 + signatureLetters;
  const rest = run.letters.slice(end, run.starts[pieceAt(run, end - 1) + 1]);
  // The full stop of a sentence may follow it.
  const isWhole = signaturePattern.test(run.letters.slice(dot + 1, end));
  return isWhole && /^(?:\.?$|[A-Z][a-z]{2})/.test(rest) ? end : undefined;
}

/** The character of a run at which a document begins. */
interface Beginning {
  readonly at: number;
  /** Where it begins if its payload is not JSON. */
  readonly whole: number;
  readonly isDocument: boolean;
}

/**
 * Finds where the payload before a dot begins. Each base64 of `{` is a candidate, and from there the text must decode
 * to a JSON object, so that no word, prefix or link before it is taken for part of it.
 * @param free the first piece that is not part of an earlier document
 * @param dot the dot before the signature
 */
function payloadStart(run: Run, free: number, dot: number, search: Search): Beginning {
  const { letters, starts } = run;
  // A JWS has one more dot before its payload; no form has two.
  const dotBefore = letters.lastIndexOf('.', letters.lastIndexOf('.', dot - 1) - 1);
  const floor = Math.max(starts[free] ?? 0, dotBefore + 1, dot - maxTokenLetters);
  const places = placesOf(run, floor, dot);
  // The nearest candidates give the shortest documents and are tried first.
  const signed = places.toReversed().filter((at) => isJson(letters.slice(at, dot), search));
  const start = signed.at(-1);
  const first = evenLinesStart(run, free, pieceAt(run, start ?? dot - 1));
  const whole = starts[first] ?? 0;
  const at = start ?? places.find((place) => pieceAt(run, place) === first) ?? whole;
  return { at, whole, isDocument: start !== undefined };
}

/** The start of JSON in base64: `{`, then a quotation mark, a line break or a space. */
const jsonBegins = /e(?:y[AIJ]|w[0gko])/g;
const damagedBegins = new RegExp(`^${jsonBegins.source}`);
/** `{` followed by anything. */
const braceBegins = /^e[w-z\d_-]/;

/** Lists the positions between two characters of a run where JSON may begin, in order. */
function placesOf(run: Run, from: number, to: number): number[] {
  const inside = Array.from(
    run.letters.slice(from, to).matchAll(jsonBegins),
    ({ index }) => from + index,
  );
  const ofPieces = run.starts
    .slice(pieceAt(run, from), pieceAt(run, to) + 1)
    .filter((at) => at >= from && at < to && braceBegins.test(run.letters.slice(at, at + 2)));
  return [...new Set([...inside, ...ofPieces])].sort((a, b) => a - b);
}

/** Tells whether this is a JSON payload, or a JWS header and its payload. */
function isJson(text: string, search: Search): boolean {
  if (search.budget < text.length) return false;
  search.budget -= text.length;
  return text.split('.').every((part) => {
    const bytes = decodeBase64Url(part);
    const json = bytes === undefined ? undefined : textOfUtf8(bytes);
    const parsed = json === undefined ? undefined : parseStrictJson(json);
    return parsed?.ok === true && isJsonObject(parsed.value.value);
  });
}

/**
 * Finds the first piece of a payload that is not JSON, by going back over lines of one piece each, all of equal length.
 */
function evenLinesStart(run: Run, free: number, last: number): number {
  const lengthOf = (piece: number): number =>
    (run.starts[piece + 1] ?? 0) - (run.starts[piece] ?? 0);
  let start = Math.max(last, free);
  const length = lengthOf(start - 1);
  if (length < 16) return start;
  while (start > free && lengthOf(start - 1) === length && isAlone(run, start - 1)) start -= 1;
  return start;
}

/**
 * Finds a damaged document between two whole ones: pieces that begin like a document and contain a dot, but no whole
 * signature. It is reported so that the agent learns of the damage.
 */
function damagedIn(run: Run, from: number, to: number): FoundToken[] {
  const { letters, starts } = run;
  let start = from;
  while (start < to && !damagedBegins.test(letters.slice(starts[start], starts[start + 1])))
    start += 1;
  if (start === to) return [];
  let end = start + 1;
  while (end < to && isAlone(run, end)) end += 1;
  const at = starts[start] ?? 0;
  const token = tokenOf(run, { at, whole: at, isDocument: false }, starts[end] ?? letters.length);
  return token.text.includes('.') && token.text.length >= minTokenLetters ? [token] : [];
}

function tokenOf(run: Run, { at, whole, isDocument }: Beginning, end: number): FoundToken {
  const { letters, starts, pieces } = run;
  const [first, last] = [pieceAt(run, at), pieceAt(run, end - 1)];
  const inner = at - (starts[first] ?? 0);
  const after = starts[last + 1] ?? letters.length;
  // A full stop is not called glued.
  const isGlued = inner > 0 || after - end > 1;
  return {
    text: letters.slice(at, end).replace(/\.$/, ''),
    ...(isGlued && { glued: letters.slice(whole, after) }),
    from: (pieces[first]?.from ?? 0) + inner,
    to: pieces[last]?.to ?? 0,
    isDocument,
  };
}

/** Characters that may form a compact document, in pieces separated only by spaces and line breaks. */
interface Run {
  readonly text: string;
  /** The stretch of the text of each piece, including padding. */
  readonly pieces: readonly Stretch[];
  /**
   * All pieces joined, in the base64url alphabet and without padding. A dot separates two segments or ends a sentence.
   */
  readonly letters: string;
  /** The index in `letters` at which each piece begins. */
  readonly starts: readonly number[];
}

/** Returns the piece that contains a character of a run. */
function pieceAt({ starts }: Run, letter: number): number {
  return indexUpTo(starts, letter);
}

const piecePattern = /(?:[A-Za-z0-9_\-+/.]|(?<=[A-Za-z0-9_\-+/])={1,4}(?![A-Za-z0-9_\-+/=]))+/g;
/** Spaces and line breaks, or a shell's line continuation. */
const softPattern = /^(?:\s*|\\[ \t]*[\r\n]\s*)$/;

function runsOf(text: string): Run[] {
  const runs: Stretch[][] = [];
  let last = 0;
  for (const { 0: found, index: from } of text.matchAll(piecePattern)) {
    // One dot may separate two segments; several dots do not.
    const length = found.endsWith('..') ? found.search(/(?<!\.)\.+$/) : found.length;
    if (length === 0) continue;
    const between = text.slice(last, from);
    const isBroken = last > 0 && between.length < 200 && softPattern.test(between);
    last = from + length;
    if (isBroken) runs.at(-1)?.push({ from, to: last });
    else runs.push([{ from, to: last }]);
  }
  return runs.map((pieces) => runOf(text, pieces));
}

function runOf(text: string, pieces: readonly Stretch[]): Run {
  const starts: number[] = [];
  let letters = '';
  for (const { from, to } of pieces) {
    starts.push(letters.length);
    letters += text.slice(from, to).replaceAll('=', '');
  }
  return { text, pieces, starts, letters: letters.replaceAll('+', '-').replaceAll('/', '_') };
}

/** Tells whether a piece is alone on its line, apart from quotation marks. */
function isAlone({ text, pieces }: Run, piece: number): boolean {
  const { from = 0, to = 0 } = pieces[piece] ?? {};
  const before = text.slice(Math.max(0, from - 80), from);
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  const after = text.slice(to, to + 80);
  return /^[\s"'`]*$/.test(before.slice(lineStart)) && /^[ \t"'`\\]*(?:[\r\n]|$)/.test(after);
}

/** Counts the repairs in and right around the tokens of a text. */
export function tallyTokens(
  text: string,
  tokens: readonly FoundToken[],
  repairs: RepairTally,
): void {
  repairs.addMatches('armour', text, armour);
  for (const { from, to } of tokens) {
    tallySpan(text.slice(from, to), repairs);
    const before = text.slice(Math.max(0, from - 40), from);
    if (/["'`\u2018-\u201E\u00AB\u00BB<([{]\s*$/.test(before)) repairs.add('quotation-marks');
    if (/\w\s{0,3}[:=]\s*["'`]?$/.test(before)) repairs.add('label');
    if (/^\s*>/.test(before.slice(before.lastIndexOf('\n') + 1))) repairs.add('mail-quotes');
    if (text.startsWith('=', to)) repairs.add('padding');
  }
}

/** Counts the repairs between the characters of one document. */
export function tallySpan(span: string, repairs: RepairTally): void {
  repairs.addMatches('line-breaks', span, /\r\n?|\n/g);
  repairs.addMatches('mail-quotes', span, /[\r\n][ \t]*>/g);
  repairs.addMatches('spaces', span, /[^\S\r\n](?![\s>|])/g);
  repairs.addMatches('invisible-characters', span, /\p{Default_Ignorable_Code_Point}/gu);
  repairs.addMatches('dashes', span, /(?!-)[\p{Pd}\u02D7\u2043\u2212]/gu);
  repairs.addMatches('padding', span, /=+/g);
  repairs.addMatches('base64-alphabet', span, /[+/]/g);
}

/** Tells whether a text contains anything besides its tokens. Labels, quotes and armour do not count. */
export function hasSurroundings(text: string, tokens: readonly FoundToken[]): boolean {
  let beside = '';
  let last = 0;
  for (const { from, to } of tokens) {
    beside += `${text.slice(last, from)} `;
    last = to;
  }
  const words = (beside + text.slice(last)).replace(armour, '').match(/\p{L}+/gu) ?? [];
  return words.length > 2 * tokens.length + 1;
}
