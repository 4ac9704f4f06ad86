import { decodeBase64Url } from '#core/license/encoding/base64url';
import { textOfUtf8 } from '#core/license/encoding/bytes';
import { type Chunk, type ChunkGroup, chunkGroups } from '#core/license/extract/token-chunks';
import { isJsonObject, parseStrictJson } from '#core/license/encoding/strict-json';

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
/** How many letters may be decoded in search of beginnings, so that no text can keep the search busy. */
const searchBudget = 4_000_000;

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
