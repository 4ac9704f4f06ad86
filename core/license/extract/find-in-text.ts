import {
  isJsonObject,
  type JsonDocument,
  parseStrictJson,
} from '#core/license/encoding/strict-json';
import { type TextRepair, RepairTally } from '#core/license/encoding/decode-source';
import { decodeBase64Url, textOfUtf8 } from '#core/license/encoding/bytes';

/** Holds a JSON object found in a text, and the stretch that it takes up. */
export interface FoundJson {
  readonly document: JsonDocument;
  readonly from: number;
  readonly to: number;
  readonly repairs: readonly TextRepair[];
}

export interface JsonSearch {
  readonly found: readonly FoundJson[];
  /** Something that looked like JSON went deeper than is read. */
  readonly tooDeep: boolean;
}

/** More objects than this are not looked for in one text. */
const maxObjects = 64;
/** How many letters may be read after braces that open no JSON, or decoded in search of beginnings, so that no text keeps the search busy. */
const searchBudget = 4_000_000;
/** What each of them costs at least. */
const missCost = 2000;

/** Finds the outermost JSON objects and arrays of a text, with what mail does to their strings undone. Takes linear time. */
export function findJson(text: string): JsonSearch {
  const whole = parseStrictJson(text);
  if (whole.ok && typeof whole.value.value === 'object') {
    const only = { document: whole.value, from: 0, to: text.length, repairs: [] };
    return { found: [only], tooDeep: false };
  }
  const found: FoundJson[] = [];
  let tooDeep = false;
  let budget = searchBudget;
  for (let at = nextOpening(text, 0); at >= 0 && found.length < maxObjects && budget > 0;) {
    const to = closingOf(text, at);
    const read = readJson(text.slice(at, to));
    if (read === undefined) {
      budget -= Math.max(missCost, (to > at ? to : text.length) - at);
      at = nextOpening(text, at + 1);
      continue;
    }
    if (read === 'too-deep') tooDeep = true;
    else found.push({ ...read, from: at, to });
    at = nextOpening(text, to);
  }
  return { found, tooDeep };
}

/** Arrays count only where one begins the text: in prose, brackets are brackets. */
function nextOpening(text: string, from: number): number {
  if (from === 0 && /^\s*\[/.test(text)) return text.indexOf('[');
  return text.indexOf('{', from);
}

/** Finds the end of what opens here, brackets inside strings passed over: `from` itself where nothing closes it. */
function closingOf(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter === '\\') at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return from;
}

function readJson(
  text: string,
):
  | { readonly document: JsonDocument; readonly repairs: readonly TextRepair[] }
  | 'too-deep'
  | undefined {
  const whole = parseStrictJson(text);
  if (whole.ok) return { document: whole.value, repairs: [] };
  if (whole.fault.kind === 'too-deep') return 'too-deep';
  const repairs = new RepairTally();
  const mended = parseStrictJson(mend(text, repairs));
  return mended.ok && isJsonObject(mended.value.value)
    ? { document: mended.value, repairs: repairs.list() }
    : undefined;
}

/** Straightens quotation marks, takes the quoting of mail from the lines, and line ends out of strings. */
function mend(text: string, repairs: RepairTally): string {
  const counted =
    (pattern: RegExp, by: string, id: 'mail-quotes' | 'quotation-marks') =>
    (from: string): string => {
      repairs.add(id, from.match(pattern)?.length ?? 0);
      return from.replace(pattern, by);
    };
  const unquoted = counted(/^[ \t]*>[> \t]*/gm, '', 'mail-quotes')(text);
  const straight = unquoted.includes('"')
    ? unquoted
    : counted(/[\u201C\u201D\u201E\u00AB\u00BB]/g, '"', 'quotation-marks')(unquoted);
  let quoted = false;
  let mended = '';
  for (let at = 0; at < straight.length; at += 1) {
    const letter = straight.charAt(at);
    if (quoted && (letter === '\n' || letter === '\r')) {
      if (letter === '\n') repairs.add('line-breaks');
      continue;
    }
    if (letter === '"') quoted = !quoted;
    mended += letter;
    if (quoted && letter === '\\') {
      at += 1;
      mended += straight.charAt(at);
    }
  }
  return mended;
}

/** Holds a compact document as it can be read out of a text, and the stretch of the text that it came from. */
export interface FoundToken {
  /** Free of spaces and padding, in the base64url alphabet. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** 64 bytes in base64url, of which the last letter holds two bits; then perhaps the end of a sentence. */
const signaturePattern = /^[A-Za-z0-9_-]{85}[AQgw]\.?$/;
const signatureLetters = 86;
const maxTokenLetters = 90_000;

interface Search {
  budget: number;
}

/**
 * Finds compact documents in a text that has been cleaned, wherever lines, quotes or words break them. A signature has one length,
 * so it ends where 86 letters after a dot end; the payload begins where, going back, JSON begins.
 */
export function findTokens(text: string): FoundToken[] {
  const search: Search = { budget: searchBudget };
  const groups = chunkGroups(text);
  return groups.flatMap((group) => tokensIn(group, search));
}

function tokensIn(group: ChunkGroup, search: Search): FoundToken[] {
  const { chunks } = group;
  const found: FoundToken[] = [];
  let free = 0;
  const keepDamagedUpTo = (end: number): void => {
    const damaged = damagedIn(group, free, end);
    if (damaged !== undefined) found.push(damaged);
  };
  for (const [at, chunk] of chunks.entries()) {
    if (at < free) continue;
    for (const dot of dotsOf(chunk)) {
      const end = signatureEnd(chunks, at, chunk.text.slice(dot + 1));
      if (end === undefined) continue;
      const start = payloadStart(group, { free, at, dot: chunk.offset + dot }, search);
      keepDamagedUpTo(start);
      found.push(tokenOf(group, start, end));
      free = end + 1;
      break;
    }
  }
  keepDamagedUpTo(chunks.length);
  return found;
}

/**
 * Returns the chunk at whose end a signature is complete.
 * @param begun its letters in the chunk `at`
 */
function signatureEnd(chunks: readonly Chunk[], at: number, begun: string): number | undefined {
  let signature = begun;
  for (let end = at; signature.length <= signatureLetters + 1;) {
    if (signaturePattern.test(signature)) return end;
    end += 1;
    const next = chunks[end]?.text;
    if (next === undefined || signature.includes('.')) return undefined;
    signature += next;
  }
  return undefined;
}

interface Place {
  /** The first chunk that no document before has taken. */
  readonly free: number;
  readonly at: number;
  /** The dot before the signature, in `joined`. */
  readonly dot: number;
}

function payloadStart({ joined, chunks }: ChunkGroup, place: Place, search: Search): number {
  const { free, at, dot } = place;
  let start: number | undefined;
  let dots = 0;
  for (let first = at; first >= free; first -= 1) {
    const chunk = chunks[first];
    if (chunk === undefined || dot - chunk.offset > maxTokenLetters) break;
    dots += dotsOf(chunk).filter((inside) => chunk.offset + inside < dot).length;
    if (dots > 1) break;
    if (beginsLikeJson(joined, chunk.offset)) {
      if (isSigned(joined.slice(chunk.offset, dot), search)) start = first;
    }
  }
  return start ?? evenLinesStart(chunks, free, chunks[at]?.offset === dot ? at - 1 : at);
}

/** Tells whether a token begins with `{`, which in base64url is `e` and one of sixteen letters. */
function beginsLikeJson(text: string, at: number): boolean {
  return text[at] === 'e' && /[w-z0-9_-]/.test(text.charAt(at + 1));
}

/** Tells whether this is a JSON payload, or a JWS header and its payload. */
function isSigned(text: string, search: Search): boolean {
  if (search.budget < text.length) return false;
  search.budget -= text.length;
  return text.split('.').every((part) => {
    const bytes = decodeBase64Url(part);
    const json = bytes === undefined ? undefined : textOfUtf8(bytes);
    const parsed = json === undefined ? undefined : parseStrictJson(json);
    return parsed?.ok === true && isJsonObject(parsed.value.value);
  });
}

/** Finds the start of a payload that is no JSON: back over lines that hold one chunk each, all equally long. */
function evenLinesStart(chunks: readonly Chunk[], free: number, at: number): number {
  let start = Math.max(at, free);
  const length = chunks[start - 1]?.text.length ?? 0;
  if (length < 16) return start;
  while (start > free) {
    const before = chunks[start - 1];
    if (before?.alone !== true || before.text.length !== length) break;
    start -= 1;
  }
  return start;
}

/** `{` and a quotation mark, a line end or a space: how JSON that was encoded begins. */
const jsonBeginsPattern = /^(?:ey[AIJ]|ew[0gko])/;

/**
 * Finds damaged documents between two whole ones: what begins like one, holds a dot and has no whole signature: kept, so that its damage can be
 * named rather than the document be missed.
 */
function damagedIn(group: ChunkGroup, from: number, to: number): FoundToken | undefined {
  const between = group.chunks.slice(from, to);
  const start = between.findIndex(({ text }) => jsonBeginsPattern.test(text));
  if (start < 0) return undefined;
  const next = between.findIndex(({ alone }, at) => at > start && !alone);
  const end = next < 0 ? to : from + next;
  const token = tokenOf(group, from + start, end - 1);
  return token.text.includes('.') && token.text.length >= 40 ? token : undefined;
}

function tokenOf({ joined, chunks }: ChunkGroup, start: number, end: number): FoundToken {
  const [first, last] = [chunks[start], chunks[end]];
  const text = joined.slice(first?.offset, (last?.offset ?? 0) + (last?.text.length ?? 0));
  return { text: text.replace(/\.$/, ''), from: first?.from ?? 0, to: last?.to ?? 0 };
}

function dotsOf({ text }: Chunk): number[] {
  const dots: number[] = [];
  for (let at = text.indexOf('.'); at >= 0; at = text.indexOf('.', at + 1)) dots.push(at);
  return dots;
}

/** Holds a run of letters that a compact document may be made of. */
export interface Chunk {
  /** In the base64url alphabet and without padding. It may end in one dot: a sentence's, or what parts two segments. */
  readonly text: string;
  /** Where `text` begins in the group's `joined`. */
  readonly offset: number;
  /** Its stretch of the whole text, padding included. */
  readonly from: number;
  readonly to: number;
  /** Whether nothing else stands on its line. */
  readonly alone: boolean;
}

/** Runs that nothing but spaces and line ends interrupts. */
export interface ChunkGroup {
  readonly joined: string;
  readonly chunks: readonly Chunk[];
}

const chunkPattern = /(?:[A-Za-z0-9_\-+/.]|(?<=[A-Za-z0-9_\-+/])={1,4}(?![A-Za-z0-9_\-+/=]))+/g;
/** Spaces, line ends, the quoting of mail after a line end, a shell's line end. */
const softPattern = /^(?:\s*|\\?[ \t]*[\r\n][\s>|]*)$/;

function chunkGroups(text: string): ChunkGroup[] {
  const groups: { joined: string[]; length: number; chunks: Chunk[] }[] = [];
  let last = 0;
  for (const match of text.matchAll(chunkPattern)) {
    const run = withoutEllipsis(match[0]);
    if (run === '') continue;
    const from = match.index;
    const to = from + run.length;
    const between = text.slice(last, from);
    const present = groups.at(-1);
    const joins = present !== undefined && between.length < 200 && softPattern.test(between);
    const group = joins ? present : { joined: [], length: 0, chunks: [] };
    if (!joins) groups.push(group);
    const chunk = {
      text: plain(run),
      offset: group.length,
      from,
      to,
      alone: beginsLine(between, last) && endsLine(text, to),
    };
    group.chunks.push(chunk);
    group.joined.push(chunk.text);
    group.length += chunk.text.length;
    last = to;
  }
  return groups.map(({ joined, chunks }) => ({ joined: joined.join(''), chunks }));
}

/** Removes several dots at the end: one may separate two segments, several never do. */
function withoutEllipsis(run: string): string {
  if (!run.endsWith('..')) return run;
  let end = run.length;
  while (run[end - 1] === '.') end -= 1;
  return run.slice(0, end);
}

function plain(run: string): string {
  return run.replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');
}

function beginsLine(between: string, last: number): boolean {
  const lineStart = Math.max(between.lastIndexOf('\n'), between.lastIndexOf('\r'));
  return (lineStart >= 0 || last === 0) && /^[\s>|"'`]*$/.test(between.slice(lineStart + 1));
}

function endsLine(text: string, to: number): boolean {
  return /^[ \t"'`\\]*(?:[\r\n]|$)/.test(text.slice(to, to + 80));
}
