import { minSearchedKeyLength, secretsIn } from '#core/connections/index';

/** How many encodings may be nested, such as a URL in JSON in HTML. */
const maxDepth = 4;

/**
 * Tells whether text contains the API key or its token, as a server's debug page might: unchanged, or with any of its characters as a
 * percent escape, after a backslash, as a `\u` or `\x` escape of JSON and JavaScript, or as an HTML entity, even nested; in base64 or
 * base64url (RFC 4648), alone or with more around it, in hexadecimal, and in UTF-16, also inside those escapes.
 *
 * False does not prove that the key cannot be derived from the text: compression, encryption, reversal and double encoding are not undone,
 * and a key of fewer than 12 characters is not searched for. One that becomes shorter when its own characters are read as escapes is found
 * unchanged.
 * @param bytes of any size; each byte is examined a few times at most
 * @param apiKey visible ASCII
 */
export function holdsKey(bytes: Uint8Array, apiKey: string): boolean {
  return secretsIn(apiKey).some((secret) => holdsSecret(bytes, secret));
}

function holdsSecret(bytes: Uint8Array, secret: string): boolean {
  let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const key = Buffer.from(secret);
  const encoded = encodingsOf(key);
  if ([key, ...encoded].some((form) => text.includes(form))) return true;
  const forms = layersOf(key).filter(({ length }) => length >= minSearchedKeyLength);
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const inner = unescapeOnce(text);
    if (inner === undefined) return false;
    text = inner;
    if ([...forms, ...encoded].some((form) => text.includes(form))) return true;
  }
  return false;
}

/** Returns the parts of a key's base64, base64url, hexadecimal and UTF-16 forms that do not depend on the text around it. */
function encodingsOf(key: Buffer): readonly Buffer[] {
  const hex = key.toString('hex');
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), key])
      .toString('base64')
      .replaceAll('=', '');
    // The first characters contain bits of the text before the key, the last those of the text after it.
    const whole = (before + key.length) % 3 === 0 ? text.length : text.length - 1;
    const own = text.slice([0, 2, 3][before], whole);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const utf16 = Buffer.from(key.toString(), 'utf16le');
  // In the other byte order, the first byte is the NUL before the key.
  const texts = new Set([...inBase64, hex, hex.toUpperCase()]);
  return [...[...texts].map((text) => Buffer.from(text)), utf16.subarray(0, -1)];
}

/** Returns a key and the forms that it takes when its own characters are read as escapes, like those of the text around it. */
function layersOf(apiKey: Buffer): readonly Buffer[] {
  const layers = [apiKey];
  for (let depth = 0, inner = unescapeOnce(apiKey); inner && depth < maxDepth; depth += 1) {
    layers.push(inner);
    inner = unescapeOnce(inner);
  }
  return layers;
}

const [backslash, percent, ampersand] = [0x5c, 0x25, 0x26];

function unescapeOnce(from: Buffer): Buffer | undefined {
  let at = 0;
  while (at < from.length && readEscape(from, at) === 0) at += 1;
  if (at === from.length) return undefined;
  const to = Buffer.from(from);
  let length = at;
  while (at < from.length) {
    const escape = readEscape(from, at);
    to[length] = escape === 0 ? (from[at] ?? 0) : escape & 0xff;
    at += escape === 0 ? 1 : escape >> 8;
    length += 1;
  }
  return to.subarray(0, length);
}

/** Returns the character of an escape, and from bit 8 on its length in bytes; 0 if there is none. */
function readEscape(bytes: Buffer, at: number): number {
  switch (bytes[at] ?? 0) {
    case percent:
      return escapeOf(readHex(bytes, at + 1, 2), 3);
    case backslash:
      return readBackslash(bytes, at);
    case ampersand:
      return readEntity(bytes, at);
    default:
      return 0;
  }
}

function readBackslash(bytes: Buffer, at: number): number {
  const next = bytes[at + 1] ?? 0;
  if (next === 0x75) return escapeOf(readHex(bytes, at + 2, 4), 6);
  if (next === 0x78) return escapeOf(readHex(bytes, at + 2, 2), 4);
  // After a backslash, these two begin a new escape.
  if (next === ampersand || next === percent) return 0;
  return isAlphanumeric(next) ? 0 : escapeOf(next, 2);
}

function escapeOf(code: number, length: number): number {
  return code > 0x20 && code < 0x7f ? (length << 8) | code : 0;
}

/** Reads hexadecimal digits; -1 if there is another byte among them. */
function readHex(bytes: Buffer, from: number, digits: number): number {
  let value = 0;
  for (let at = from; at < from + digits; at += 1) {
    const digit = hexDigit(bytes[at] ?? 0);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function isAlphanumeric(byte: number): boolean {
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}

/** The length of the longest entity name: `DiacriticalGrave`. */
const longestName = 16;
/** The length of the longest number that is read, with leading zeros and without its semicolon. */
const longestNumber = 17;

/** Reads `&amp;`, `&#38;` or `&#x26;`. The length limits keep this fast even for a text of nothing else. */
function readEntity(bytes: Buffer, at: number): number {
  if (bytes[at + 1] === 0x23) return readNumber(bytes, at);
  let end = at + 1;
  while (end - at <= longestName && isAlphanumeric(bytes[end] ?? 0)) end += 1;
  if (bytes[end] !== 0x3b) return 0;
  const character = entities.get(bytes.toString('latin1', at + 1, end));
  return character === undefined ? 0 : escapeOf(character.charCodeAt(0), end + 1 - at);
}

function readNumber(bytes: Buffer, at: number): number {
  const isHex = ((bytes[at + 2] ?? 0) | 0x20) === 0x78;
  const [base, begin] = isHex ? [16, at + 3] : [10, at + 2];
  let code = 0;
  let end = begin;
  for (; end - at < longestNumber; end += 1) {
    const digit = hexDigit(bytes[end] ?? 0);
    if (digit < 0 || digit >= base) break;
    code = code * base + digit;
  }
  return end > begin && bytes[end] === 0x3b ? escapeOf(code, end + 1 - at) : 0;
}

/** The entities of visible ASCII (HTML, section 13.5): each character with its names. */
const named = [
  '! excl  " quot QUOT  # num  $ dollar  % percnt  & amp AMP  \' apos  ( lpar  ) rpar  * ast midast  + plus  , comma',
  '. period  / sol  : colon  ; semi  < lt LT  = equals  > gt GT  ? quest  @ commat  [ lsqb lbrack  \\ bsol  ] rsqb rbrack',
  '^ Hat  _ lowbar UnderBar  ` grave DiacriticalGrave  { lcub lbrace  | verbar vert VerticalLine  } rcub rbrace',
];
const entities: ReadonlyMap<string, string> = new Map(
  named
    .flatMap((line) => line.split('  '))
    .flatMap((entry) => {
      const [character = '', ...names] = entry.split(' ');
      return names.map((name) => [name, character] as const);
    }),
);
