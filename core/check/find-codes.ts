import {
  type CodeShape,
  couldBegin,
  fullWidth,
  invisible,
  matchShape,
  normaliseText,
  oddDash,
  parseCodePattern,
  uuidForm,
} from '#core/check/code-shape';
import { canonicalCode } from '#core/check/code-spelling';

/** Names of a purchase code. None has an unbounded repetition, so that a search stays linear. */
const names = [
  String.raw`(?:purchase|licen[cs]e|activation)[ _-]?(?:code|key)s?`,
  String.raw`kaufcodes?|kauf-codes?|lizenz(?:codes?|schlüssel)|lizenz-codes?`,
  String.raw`codes? d['’]achat|cl[ée]s? de licence`,
  String.raw`c[óo]digos? de (?:la )?compra|clave de licencia`,
  String.raw`codice (?:di |d['’])?acquisto`,
  String.raw`aankoopcodes?|licentiecodes?|köpkod|købskode|kjøpskode|ostokoodi`,
  String.raw`kod zakupu|kód nákupu|vásárlási kód|cod(?:ul)? de (?:achiziție|cumpărare)`,
  String.raw`satın ?alma kodu|kode pembelian|mã mua hàng`,
  String.raw`код покупки|код купівлі|κωδικός αγοράς`,
  String.raw`購入コード|購買代碼|购买代码|购买码|구매 ?코드|رمز الشراء|קוד רכישה`,
].join('|');
const endOfName = String.raw`(?:(?![\p{Script=Latin}\d])|(?<=[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]))`;
const joint = [
  String.raw`["'”’\])*_]{0,3}(?:[^\d\r\n:=]{1,40}(?=[:=]))?[ \t]{0,3}(?:\([^()\r\n]{0,40}\)[ \t]{0,3})?`,
  String.raw`(?:(?:(?:is|was|ist|lautet|est|es|è|é|jest|это)(?![\p{L}\d])|は|是|:|=>?|：|#|-{1,2}>?|→)[ \t]{0,3}){0,2}`,
  String.raw`(?:(?:\r\n|[\r\n])[ \t>|]{0,12}){0,2}["'“‘«„(\[*_` + '`' + String.raw`]{0,3}`,
].join('');
/** The word "code" alone is ambiguous, so it must begin a line or sentence and stand before a colon and a long code. */
const bareName = String.raw`(?<=(?:^|[.,;!?])[^\p{L}\d\r\n]{0,8}|(?:^|\s)(?:my|the) )(?<bare>codes?)(?=[ \t]{0,2}[:=#])`;
const minBareNameCodeLength = 16;
const label = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:${names})${endOfName}|${bareName})${joint}`,
  'gimu',
);

const run = /[A-Za-z0-9]{1,129}(?:-[A-Za-z0-9]{1,129}){0,64}/y;
const brokenAfterDash = /-[ \t]{0,8}(?:\r\n|[\r\n])[ \t>|]{0,12}(?=[A-Za-z0-9-]{0,128}\d)/y;
const between = /[ \t\r\n,;•*&+/|>-]{1,12}(?:(?:and|und|et|y|e|og|en) )?/y;

const wholeRun = /[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*/g;
const dashAtLineEnd = /[A-Za-z0-9]-[ \t]{0,8}[\r\n]/;
const minLength = 8;

/**
 * Tells cheaply whether a text may hold a labelled code, wherever its labels are: the labels take long to compile and to look for.
 * @param isFree tells of an index whether no other code is there; a labelled code is nowhere else
 */
export function mayHoldLabelled(text: string, isFree: (at: number) => boolean): boolean {
  if (dashAtLineEnd.test(text)) return true;
  for (const { 0: found, index } of text.matchAll(wholeRun))
    if (isFree(index + found.length - 1) && isCode(found)) return true;
  return false;
}

/** Holds a code and its position in the normalised text, in UTF-16 units; `end` is exclusive. */
interface LabelledCode {
  readonly code: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds codes of any form by a label before them, such as "purchase code:". A code has 8 to 128 letters, digits and dashes and
 * at least one digit. Codes of the same length that follow it, as in a list, count too.
 * @param text normalised by `normaliseText`
 */
function* findLabelledCodes(text: string): Generator<LabelledCode> {
  let at = 0;
  for (;;) {
    label.lastIndex = at;
    const named = label.exec(text);
    if (named === null) return;
    at = label.lastIndex;
    let token = readToken(text, at);
    const { bare } = named.groups ?? {};
    if (bare !== undefined && !isLongAndMixed(token?.code ?? '')) continue;
    const length = token?.code.length;
    while (token !== undefined && token.code.length === length) {
      yield token;
      at = token.end;
      between.lastIndex = at;
      token = between.test(text) ? readToken(text, between.lastIndex) : undefined;
    }
  }
}

function isLongAndMixed(code: string): boolean {
  return code.length >= minBareNameCodeLength && /[a-z]/i.test(code);
}

function readToken(text: string, start: number): LabelledCode | undefined {
  let code = '';
  let end = start;
  for (;;) {
    run.lastIndex = end;
    const piece = run.exec(text)?.[0];
    if (piece === undefined) return undefined;
    code += piece;
    end += piece.length;
    brokenAfterDash.lastIndex = end;
    if (code.length > 128 || !brokenAfterDash.test(text)) break;
    code += '-';
    end = brokenAfterDash.lastIndex;
  }
  const goesOn = /^(?:[\w@]|-[A-Za-z0-9]|:\/\/|\.[\w-]{8})/.test(text.slice(end, end + 12));
  return code.length <= 128 && isCode(code) && !goesOn ? { code, start, end } : undefined;
}

/** Tells whether a run is long enough for a code, has a digit, and is no date. */
function isCode(run: string): boolean {
  return run.length >= minLength && /\d/.test(run) && !/^\d{1,4}-\d{1,2}-\d{1,4}$/.test(run);
}

/** Names what was corrected in the text to read a code. */
export type CodeRepair =
  | 'spaces'
  | 'line-breaks'
  | 'invisible-characters'
  | 'dashes'
  | 'full-width';

/** Holds a code, its first position, and the corrections made to read it. */
export interface FoundCode extends LocatedCode {
  readonly repaired: readonly CodeRepair[];
}

/**
 * Finds the purchase codes in a text, each once, in the spelling and order of their first appearance. `canonicalCode` decides
 * which spellings are the same code. Never throws; linear in the text.
 * @param options.patterns forms set for connections (`Dialect.codePattern`); an invalid pattern is ignored
 *
 * @example
 * findCodes('Purchase code: 8678c3cd - 2a21 - 4afa - b5d1 - 0f1b4e2d9c70, thanks')
 * // [{ code: '8678c3cd-2a21-4afa-b5d1-0f1b4e2d9c70', kind: 'uuid-form', start: 15, end: 59, repaired: ['spaces'] }]
 */
export function findCodes(
  text: string,
  { patterns = [] }: { readonly patterns?: readonly string[] } = {},
  clean = normaliseText(text),
): FoundCode[] {
  const codes = new Map<string, FoundCode>();
  for (const located of locateCodes(text, patterns, clean)) {
    const { code, start, end } = located;
    const name = canonicalCode(code);
    if (codes.has(name)) continue;
    codes.set(name, { ...located, repaired: repairsOf(text.slice(start, end), code) });
  }
  return [...codes.values()];
}

function repairsOf(source: string, code: string): CodeRepair[] {
  const repairs: CodeRepair[] = [];
  const sameLine = source.replace(/[^\S\r\n]*=?[\r\n\u2028\u2029\v\f\u0085][\s>|]*/g, '');
  if (sameLine !== source) repairs.push('line-breaks');
  if (/\s/.test(sameLine.replaceAll('\uFEFF', ''))) repairs.push('spaces');
  if (invisible.test(source)) repairs.push('invisible-characters');
  const dashes = (text: string): number => text.split('-').length;
  if (oddDash.test(source) || dashes(source) < dashes(code)) repairs.push('dashes');
  if (fullWidth.test(source)) repairs.push('full-width');
  return repairs;
}

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
 * @param clean the text as `normaliseText` returns it, where that is known already
 */
export function locateCodes(
  text: string,
  patterns: readonly string[],
  clean = normaliseText(text),
): LocatedCode[] {
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
  wordStart.lastIndex = 0;
  for (let word = wordStart.exec(text); word !== null; word = wordStart.exec(text)) {
    const at = word.index;
    for (const { kind, shape } of kinds) {
      if (!couldBegin(shape, text.charCodeAt(at)) || !beginsHere(at)) continue;
      const match = matchShape(shape, text, at);
      if (match === undefined || !endsHere(match.end)) continue;
      taken.fill(1, at, match.end);
      if (!isSomethingElse(at, match.end)) found.push({ ...match, start: at, kind });
      wordStart.lastIndex = match.end;
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

/** Matches each sign that a code may begin with: one after a letter or digit is in the middle of a word. */
const wordStart = /(?<![a-z\d])\S|(?<==3D)\S/gi;

const address = /(?:https?:\/\/|www\.)[^\s<>"']+/gi;
const namesACode = /(?:purchase|code|licen[cs]e|key)[^\s/?&#=]{0,24}[/=]$/i;
const namesAnotherId =
  /(?:^|[^a-z])(?:installation|licen[cs]e|request|message|session|trace|correlation|device|user|account|attachment|event|span)[ _-]?ids?["']?\s{0,3}[:=#]?\s{0,3}["']?$/i;
const goesOnAsFile =
  /^\.(?:png|jpe?g|gif|webp|svg|pdf|zip|rar|txt|log|mp[34]|mov|webm|csv|json|xml|html?|eml|lic)(?![a-z\d])/i;

/** More dashes in a row are a drawn line. */
const maxRuleDashes = 8;

/** Judges a stretch of a normalised text by the characters around it. */
export interface CodeContext {
  readonly beginsHere: (start: number) => boolean;
  readonly endsHere: (end: number) => boolean;
  readonly isSomethingElse: (start: number, end: number) => boolean;
}

/**
 * Creates the judge of what surrounds a possible code. A code is not part of a longer run, a file name, a message id or a value
 * labelled as another id. Inside an address it must follow a label such as `code=`.
 * In the source of a mail `=` is written `=3D` (quoted-printable).
 * @param joins whether the dash at an index is a hyphen, which joins two words; other dashes separate them
 */
function contextOf(text: string, joins: (index: number) => boolean): CodeContext {
  const inAddress = addressMarks(text);
  const isJoint = (index: number): boolean =>
    text[index] === '_' || (text[index] === '-' && joins(index));
  return {
    beginsHere: (start) => {
      let before = start - 1;
      const furthest = before - maxRuleDashes;
      while (before > furthest && isJoint(before)) {
        before -= 1;
      }
      return !isLetterOrDigit(text, before) || text.slice(start - 3, start) === '=3D';
    },
    endsHere: (end) => {
      const after = isJoint(end) ? end + 1 : end;
      return !isLetterOrDigit(text, after);
    },
    isSomethingElse: (start, end) => {
      const lead = text.slice(Math.max(0, start - 48), start).replace(/=3D$/, '=');
      if (inAddress?.[start] === 1) return !namesACode.test(lead);
      return (
        namesAnotherId.test(lead) ||
        text[end] === '@' ||
        goesOnAsFile.test(text.slice(end, end + 8))
      );
    },
  };
}

function addressMarks(text: string): Uint8Array | undefined {
  let marks: Uint8Array | undefined;
  for (const { 0: found, index } of text.matchAll(address)) {
    marks ??= new Uint8Array(text.length);
    marks.fill(1, index, index + found.length);
  }
  return marks;
}

function isLetterOrDigit(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  const lower = unit | 0x20;
  return (unit >= 0x30 && unit <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}

/** Tells what kind of text was typed or pasted. Only `codes` and `odd` lead to a request. */
export type ClassifiedInput =
  | { readonly kind: 'empty' }
  /** At least one. */
  | { readonly kind: 'codes'; readonly codes: readonly FoundCode[] }
  /** One token of an unknown form: it can be checked, with a hint beside it. */
  | { readonly kind: 'odd'; readonly code: string; readonly hint: OddHint }
  /** A license or certificate: text for the verifier. */
  | { readonly kind: 'license' }
  /** Text without a code in it. `length` in UTF-16 units. */
  | { readonly kind: 'nothing'; readonly length: number }
  | { readonly kind: 'too-long'; readonly limit: number };

/** Names why a single token is unusual. */
export type OddHint =
  /** The common form with letters after F, as when O was typed for 0. */
  | 'letters-beyond-f'
  /** Hexadecimal digits and dashes as in the common form, but more or fewer than 32. */
  | 'wrong-length'
  /** 32 hexadecimal digits in other groups than 8-4-4-4-12, or in none. */
  | 'other-groups'
  /** Only digits: perhaps an order number. */
  | 'digits-only'
  | 'other-form';

/** Limits the text that is classified, in UTF-16 units. */
export const maxInputLength = 1024 * 1024;

/**
 * Classifies typed or pasted text before anything of it is sent. Never throws; text over {@link maxInputLength} is not read.
 * @param options.patterns see `findCodes`
 *
 * @example
 * classifyInput('8678c3cd2a214afab5d10f1b4e2d9c70')
 * // { kind: 'odd', code: '8678c3cd2a214afab5d10f1b4e2d9c70', hint: 'other-groups' }
 */
export function classifyInput(
  text: string,
  { patterns = [] }: { readonly patterns?: readonly string[] } = {},
): ClassifiedInput {
  if (text.length > maxInputLength) return { kind: 'too-long', limit: maxInputLength };
  const normalised = normaliseText(text);
  const clean = normalised.text.trim();
  if (clean === '') return { kind: 'empty' };
  if (isWhollyLicense(clean)) return { kind: 'license' };
  const codes = findCodes(text, { patterns }, normalised);
  if (codes.length > 0) return { kind: 'codes', codes };
  if (holdsLicense(clean)) return { kind: 'license' };
  const code = tokenAlone(clean);
  if (code !== undefined) return { kind: 'odd', code, hint: hintFor(code) };
  return { kind: 'nothing', length: text.trim().length };
}

/**
 * Returns the only token of a text without the quotes, brackets and full stops around it; undefined for any other text. A
 * letter or digit at its end that is not ASCII belongs to it, so that no shortened code is sent.
 */
function tokenAlone(clean: string): string | undefined {
  if (clean.length > 160) return undefined;
  const bare = clean.replace(/^[^\p{L}\p{N}]{1,8}/u, '').replace(/[^\p{L}\p{N}]{1,8}$/u, '');
  return /^[A-Za-z0-9-]{8,128}$/.test(bare) ? bare : undefined;
}

function hintFor(code: string): OddHint {
  if (/^\d+$/.test(code)) return 'digits-only';
  if (/^[a-z\d]{8}-[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{12}$/i.test(code))
    return 'letters-beyond-f';
  if (!/^[a-f\d-]+$/i.test(code)) return 'other-form';
  if (code.replaceAll('-', '').length === 32) return 'other-groups';
  return code.includes('-') ? 'wrong-length' : 'other-form';
}

/**
 * Tells whether a text holds a license or a certificate: a token of two base64url segments, a JWS, an armoured block, or JSON
 * with such a field. Checks the form only, no signature.
 */
export function holdsLicense(text: string): boolean {
  return isWhollyLicense(text) || hasArmour(text) || hasToken(text);
}

/** Tells whether a text is a license and nothing else, so that ids inside it are not read as purchase codes. */
export function isWhollyLicense(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.startsWith('{') && trimmed.endsWith('}')) {
    return /"(?:license|activation_certificate|signature)"\s{0,8}:/.test(trimmed);
  }
  const lines = trimmed.split(/\s/);
  // Mail programs break a token into lines, and prose has no words this long.
  return lines.some((line) => line.length >= minBrokenLineLetters) && isToken(lines.join(''));
}

const minBrokenLineLetters = 40;
const minPayloadLetters = 16;
/** An Ed25519 signature takes 86 characters; a mangled one may have lost some. */
const minSignatureLetters = 60;

function hasArmour(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]{0,40}(?:LICEN[CS]E|CERTIFICATE|ACTIVATION)/.test(text);
}

function hasToken(text: string): boolean {
  for (const [word] of text.matchAll(/[\w.=-]+/g)) {
    if (word.length > minPayloadLetters + minSignatureLetters && isToken(word)) return true;
  }
  return false;
}

/** Tells whether a word has the form of a license, a certificate or a JWS: base64url segments, the last one a signature. */
export function isToken(word: string): boolean {
  if (!/^[\w.=-]+$/.test(word)) return false;
  const segments = word.split('.').filter((segment) => segment !== '');
  const [payload = '', signature = ''] = segments.slice(-2);
  return (
    segments.length <= 3 &&
    payload.length >= minPayloadLetters &&
    signature.length >= minSignatureLetters
  );
}
