import { decodeBase64Url, isJsonObject, parseStrictJson, textOfUtf8 } from '#core/encoding/index';

/** Holds a compact document as it can be read out of a text, and the stretch of the text that it came from. */
export interface FoundToken {
  /** Free of spaces and padding, in the base64url alphabet. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Whether nothing is glued to its beginning. */
  readonly isFree: boolean;
  /** Whether its payload is a JSON object. */
  readonly isDocument: boolean;
}

/** How many letters may be decoded in search of beginnings, so that no text keeps the search busy. */
const searchBudget = 4_000_000;
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
      keepDamagedUpTo(start.chunk);
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

/** Says in which chunk a document begins, and behind how many of its letters. */
interface Beginning {
  readonly chunk: number;
  readonly inner: number;
  readonly isDocument: boolean;
}

/** `{` and a quotation mark, a line end or a space: how JSON that was encoded begins. */
const jsonBegins = /e(?:y[AIJ]|w[0gko])/g;
/** More places in one chunk are not tried: only one of them can be where a whole object begins. */
const maxPlaces = 16;

/**
 * Finds where the payload before a dot begins. Wherever the base64 of `{` stands it may: what begins there must be a JSON
 * object, so that no word, prefix or link in front of it is taken for a part of it.
 * @param free the first chunk that no document before has taken
 * @param dot the dot before the signature, in `joined`
 */
function payloadStart(
  { joined, chunks }: ChunkGroup,
  { free, at, dot }: { readonly free: number; readonly at: number; readonly dot: number },
  search: Search,
): Beginning {
  let start: Beginning | undefined;
  let likely: Beginning | undefined;
  for (let first = at; first >= free; first -= 1) {
    const chunk = chunks[first];
    if (chunk === undefined || dot - chunk.offset > maxTokenLetters) break;
    const { length } = chunk.text;
    // The letters after the chunk tell what begins at its end.
    const letters = joined.slice(chunk.offset, Math.min(dot, chunk.offset + length + 2));
    const places = Array.from(letters.matchAll(jsonBegins), ({ index }) => index);
    if (beginsLikeJson(letters)) places.unshift(0);
    for (const inner of new Set(places.filter((place) => place < length).slice(0, maxPlaces))) {
      const payload = joined.slice(chunk.offset + inner, dot);
      if (payload.split('.').length > 2) continue;
      if (isSigned(payload, search)) {
        start = { chunk: first, inner, isDocument: true };
        break;
      }
      likely ??= { chunk: first, inner, isDocument: false };
    }
    if (joined.slice(chunk.offset, dot).split('.').length > 2) break;
  }
  if (start !== undefined) return start;
  const even = evenLinesStart(chunks, free, chunks[at]?.offset === dot ? at - 1 : at);
  return likely?.chunk === even ? likely : { chunk: even, inner: 0, isDocument: false };
}

/** Tells whether a text begins with `{`, which in base64url is `e` and one of sixteen letters. */
function beginsLikeJson(text: string): boolean {
  return /^e[w-z\d_-]/.test(text);
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

/**
 * Finds damaged documents between two whole ones: text that begins like a document and holds a dot, but has no whole signature.
 * It is kept so that the damage can be named and the document is not missed.
 */
function damagedIn(group: ChunkGroup, from: number, to: number): FoundToken | undefined {
  const between = group.chunks.slice(from, to);
  const start = between.findIndex(({ text }) => text.search(jsonBegins) === 0);
  if (start < 0) return undefined;
  const next = between.findIndex(({ alone }, at) => at > start && !alone);
  const end = next < 0 ? to : from + next;
  const token = tokenOf(group, { chunk: from + start, inner: 0, isDocument: false }, end - 1);
  return token.text.includes('.') && token.text.length >= 40 ? token : undefined;
}

function tokenOf({ joined, chunks }: ChunkGroup, begin: Beginning, end: number): FoundToken {
  const [first, last] = [chunks[begin.chunk], chunks[end]];
  const { inner, isDocument } = begin;
  const text = joined.slice(
    (first?.offset ?? 0) + inner,
    (last?.offset ?? 0) + (last?.text.length ?? 0),
  );
  return {
    text: text.replace(/\.$/, ''),
    from: (first?.from ?? 0) + inner,
    to: last?.to ?? 0,
    isFree: inner === 0,
    isDocument,
  };
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
