import { parseJson } from '#core/encoding/json';
import { fail, type Result, succeed } from '#core/result';

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A JSON object. Its record has no prototype, so a member named `__proto__` is an ordinary member. */
export type JsonObject = Readonly<Record<string, JsonValue>>;

/** Ambiguities in a document. Readers disagree about each of them, so nothing that is signed may contain one. */
export type JsonOddity =
  | 'duplicate-name'
  /** A member named `__proto__`. */
  | 'proto-name'
  | 'lone-surrogate'
  /** An integer beyond 2^53, or a number too large for a double. */
  | 'inexact-number';

export interface JsonDocument {
  readonly value: JsonValue;
  readonly oddities: readonly JsonOddity[];
}

/** Why a text is rejected as JSON. `at`: the offset in UTF-16 units. */
export type JsonFault =
  | { readonly kind: 'not-json'; readonly at: number }
  | { readonly kind: 'too-deep'; readonly at: number };

/** The deepest nesting that is read; a deeper document is a fault and cannot overflow the stack. */
export const maxDepth = 32;

/**
 * Parses JSON strictly by RFC 8259, and reports its ambiguities rather than resolving them silently. If a name is
 * duplicated the last value is kept, as in every engine's own parser. Linear in the text.
 */
export function parseStrictJson(text: string): Result<JsonDocument, JsonFault> {
  // A text with escapes never goes to the engine's parser: a signed document must have exactly one reading.
  const plain = text.includes('\\') ? undefined : parsePlainJson(text);
  if (plain !== undefined) return succeed({ value: plain, oddities: [] });
  const reader = new Reader(text);
  const value = reader.readDocument();
  if (value === undefined)
    return fail({ kind: reader.tooDeep ? 'too-deep' : 'not-json', at: reader.at });
  return succeed({ value, oddities: [...reader.oddities] });
}

/**
 * Parses a text with the engine's own parser, which is many times faster, if the result is certain to equal that of
 * `Reader`. Returns `undefined` otherwise: invalid JSON, a possible oddity, or nesting that is too deep.
 */
export function parsePlainJson(text: string): JsonValue | undefined {
  const parsed = parseJson(text) as JsonValue | undefined;
  if (parsed === undefined || !text.isWellFormed()) return undefined;
  const hasEscapes = text.includes('\\');
  const copy = new PlainCopy(hasEscapes);
  const value = copy.of(parsed, 0);
  if (!copy.isExact) return undefined;
  const isPlain =
    (!hasEscapes && copy.members === text.match(nameEnds)?.length) ||
    copy.members === countPlainNames(text);
  return isPlain ? value : undefined;
}

/**
 * The end of a member's name, or the beginning of a string that starts with a colon. Without backslashes every
 * quotation mark begins or ends a string, so no name is missed.
 */
const nameEnds = /"[ \t\r\n]*:/g;

/**
 * Counts the names of members in valid JSON, duplicates included; undefined if a name contains an escape. Node 24.21
 * misreads such a name as a backslash if it has seen an object of that shape before: `{"a":1,"\\":2}`, then
 * `{"a":1,"\u0062":2}`.
 */
function countPlainNames(text: string): number | undefined {
  const strings = text.replace(/\\./g, '\\').match(/"[^"]*"(?:[ \t\r\n]*:)?/g) ?? [];
  const names = strings.filter((string) => string.endsWith(':'));
  return names.some((name) => name.includes('\\')) ? undefined : names.length;
}

/** Copies parsed JSON into records without a prototype, and counts their members; a duplicated name counts once. */
class PlainCopy {
  members = 0;
  isExact = true;

  readonly #hasEscapes: boolean;

  /** @param hasEscapes whether a string may be ill-formed although the text is not */
  constructor(hasEscapes: boolean) {
    this.#hasEscapes = hasEscapes;
  }

  of(value: JsonValue, depth: number): JsonValue {
    if (typeof value === 'number') {
      const isInexact = Number.isInteger(value) && !Number.isSafeInteger(value);
      if (isInexact || !Number.isFinite(value)) this.isExact = false;
      return value;
    }
    if (this.#hasEscapes && typeof value === 'string' && !value.isWellFormed())
      this.isExact = false;
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= maxDepth) {
      this.isExact = false;
      return null;
    }
    if (Array.isArray(value)) return value.map((item) => this.of(item as JsonValue, depth + 1));
    const members = Object.create(null) as Record<string, JsonValue>;
    for (const [name, member] of Object.entries(value)) {
      this.members += 1;
      if (name === '__proto__') this.isExact = false;
      members[name] = this.of(member, depth + 1);
    }
    return members;
  }
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * Reads JSON. If any of its methods returns `undefined`, the document is not JSON, and `at` is the offset of the error.
 */
class Reader {
  at = 0;
  tooDeep = false;
  readonly oddities = new Set<JsonOddity>();
  readonly #text: string;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): JsonValue | undefined {
    const value = this.#readValue();
    this.#skipSpace();
    return this.at === this.#text.length ? value : undefined;
  }

  #readValue(): JsonValue | undefined {
    this.#skipSpace();
    switch (this.#text[this.at]) {
      case '{':
        return this.#nested(() => this.#readObject());
      case '[':
        return this.#nested(() => this.#readArray());
      case '"':
        return this.#readString();
      case 't':
        return this.#readWord('true', true);
      case 'f':
        return this.#readWord('false', false);
      case 'n':
        return this.#readWord('null', null);
      case undefined:
        return undefined;
      default:
        return this.#readNumber();
    }
  }

  #nested<T>(read: () => T | undefined): T | undefined {
    if (this.#depth >= maxDepth) {
      this.tooDeep = true;
      return undefined;
    }
    this.#depth += 1;
    this.at += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #readObject(): JsonObject | undefined {
    const members = Object.create(null) as Record<string, JsonValue>;
    if (this.#take('}')) return members;
    do {
      this.#skipSpace();
      const name = this.#readString();
      if (name === undefined || !this.#take(':')) return undefined;
      if (name in members) this.oddities.add('duplicate-name');
      if (name === '__proto__') this.oddities.add('proto-name');
      const value = this.#readValue();
      if (value === undefined) return undefined;
      members[name] = value;
    } while (this.#take(','));
    return this.#take('}') ? members : undefined;
  }

  #readArray(): JsonValue[] | undefined {
    const items: JsonValue[] = [];
    if (this.#take(']')) return items;
    do {
      const value = this.#readValue();
      if (value === undefined) return undefined;
      items.push(value);
    } while (this.#take(','));
    return this.#take(']') ? items : undefined;
  }

  #readString(): string | undefined {
    if (this.#text[this.at] !== '"') return undefined;
    this.at += 1;
    let read = '';
    for (;;) {
      read += this.#readPlain();
      const letter = this.#text[this.at];
      if (letter === '"') break;
      const escaped = letter === '\\' ? this.#readEscape() : undefined;
      if (escaped === undefined) return undefined;
      read += escaped;
    }
    this.at += 1;
    if (!read.isWellFormed()) this.oddities.add('lone-surrogate');
    return read;
  }

  #readEscape(): string | undefined {
    const letter = this.#text[this.at + 1] ?? '';
    if (letter === 'u') {
      const digits = this.#text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-f]{4}$/i.test(digits)) return undefined;
      this.at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    if (!Object.hasOwn(escapes, letter)) return undefined;
    this.at += 2;
    return escapes[letter];
  }

  #readNumber(): number | undefined {
    numberPattern.lastIndex = this.at;
    const digits = numberPattern.exec(this.#text)?.[0] ?? '';
    this.at += digits.length;
    if (digits === '') return undefined;
    const value = Number(digits);
    const exact =
      Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    if (!exact) this.oddities.add('inexact-number');
    return value;
  }

  #readWord<T extends JsonValue>(word: string, value: T): T | undefined {
    if (!this.#text.startsWith(word, this.at)) return undefined;
    this.at += word.length;
    return value;
  }

  #take(letter: string): boolean {
    this.#skipSpace();
    if (this.#text[this.at] !== letter) return false;
    this.at += 1;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at += 1;
    }
  }

  /**
   * Reads up to the next quotation mark, backslash or control character; JSON forbids control characters in strings.
   */
  #readPlain(): string {
    const from = this.at;
    for (;;) {
      const code = this.#text.charCodeAt(this.at);
      if (code === 0x22 || code === 0x5c || !(code >= 0x20)) return this.#text.slice(from, this.at);
      this.at += 1;
    }
  }
}

/**
 * Writes the RFC 8785 form of a JSON value: no spaces, members sorted by UTF-16 code units, numbers and strings as
 * ECMAScript writes them. Use it only for values read without oddities: RFC 8785 does not define lone surrogates or
 * numbers beyond a double.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
