import { type CodeShape, isBeginning, matchShape, shapeOf, uuidForm } from '#core/codes/code-shape';
import { canonicalCode } from '#core/codes/code-spelling';
import {
  beginsAt,
  endsAt,
  isAlone,
  isBelowName,
  isInNonCodeContext,
  isOfDocument,
  isRow,
  type NameOf,
  namesIn,
} from '#core/codes/surroundings';
import type { ValueName } from '#core/codes/value-names';
import {
  indexUpTo,
  plainForm,
  readingsOf,
  type Transport,
  transportsOfCodes,
  transportsOfPages,
} from '#core/reading/index';

export interface FoundCode {
  /** The code to send: corrected, but in the case as typed, since a server may be case-sensitive. */
  readonly code: string;
  /** Its position in the original text, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** `uuid-form`: 8-4-4-4-12 hexadecimal digits. `pattern`: a connection's `codePattern`. `labelled`: any form after its name. */
  readonly kind: 'uuid-form' | 'pattern' | 'labelled';
  /** What its label says, for a code of a known form that has one. */
  readonly name?: ValueName | undefined;
}

/**
 * A near-miss: almost a code in the common form. It is never sent without asking, because a character is wrong or
 * missing.
 */
export interface NearMiss extends Omit<FoundCode, 'kind'> {
  readonly kind: 'near-miss';
  /** Whether a label before it calls it a code. */
  readonly isNamed: boolean;
}

/** Removes duplicates by {@link canonicalCode}, keeping the first. */
export function eachOnce<Code extends { readonly code: string }>(codes: readonly Code[]): Code[] {
  const seen = new Set<string>();
  return codes.filter(({ code }) => {
    const name = canonicalCode(code);
    return !seen.has(name) && seen.add(name);
  });
}

/**
 * Locates every purchase code in the text of a page, in order, repeated codes included. Never throws; linear in the text.
 * @param patterns forms set for connections (`Dialect.codePattern`); an invalid pattern is ignored
 *
 * @example
 * locateCodes('Purchase code: 8678c3cd - 2a21 - 4afa - b5d1 - 0f1b4e2d9c70, thanks', [])
 * // [{ code: '8678c3cd-2a21-4afa-b5d1-0f1b4e2d9c70', kind: 'uuid-form', start: 15, end: 59 }]
 */
export function locateCodes(text: string, patterns: readonly string[]): FoundCode[] {
  return findingsIn(text, patterns, transportsOfPages).filter(isCodeFound);
}

function isCodeFound(one: Finding): one is FoundCode {
  return one.kind !== 'near-miss' && one.kind !== 'none';
}

/**
 * Tells whether a code's label is ambiguous: the code is used only if no better one was found. A serial number of one
 * group may be that of a device.
 */
export function isWeak({ name, code }: Pick<FoundCode, 'name' | 'code'>): boolean {
  return /id|unclear/.test(name ?? '') || (name === 'number' && !code.includes('-'));
}

/** Locates codes and near-misses in pasted text. */
export function locateCandidates(
  text: string,
  patterns: readonly string[],
): (FoundCode | NearMiss)[] {
  return findingsIn(text, patterns, transportsOfCodes).filter((one) => one.kind !== 'none');
}

/**
 * What was found at one place in the source. `none`: it looks like a code but is not, because of its label, because it
 * is part of something longer, or because it is in a link. Another reading may still find a code there.
 */
type Finding =
  | FoundCode
  | NearMiss
  | (Omit<FoundCode, 'kind'> & {
      readonly kind: 'none';
      /** Whether its label names something else. */
      readonly isNamed: boolean;
      /** Whether it is part of something longer. */
      readonly isPart: boolean;
    });

/** How near an escape must be to affect how a code or its label is read, in UTF-16 units. */
const reach = 600;

/**
 * Looks for codes in every reading. If two readings disagree about a place, the one that undid a certain escape wins;
 * an uncertain escape never shortens a code.
 */
function findingsIn(
  text: string,
  patterns: readonly string[],
  transports: readonly Transport[],
): Finding[] {
  const shapes = patterns.map(shapeOf).filter((shape) => shape !== undefined);
  const found: Finding[] = [];
  for (const reading of readingsOf(text, transports, reach)) {
    const plain = plainForm(reading);
    const here = candidatesIn(plain.text, shapes).map((one) => ({
      ...one,
      start: plain.startOf(one.start),
      end: plain.endOf(one.end - 1),
    }));
    if (reading.undone.length === 0) found.push(...here);
    else if (here.length > 0) merge(found, here, reading.certain);
  }
  const sure = found.filter((one) => !isWeak(one));
  return (sure.some(isCodeFound) ? sure : found).sort(byStart);
}

function byStart(one: Finding, other: Finding): number {
  return one.start - other.start;
}

/**
 * Merges the findings of a later reading into the earlier ones. Both lists are sorted, and short compared to the text.
 */
function merge(found: Finding[], here: readonly Finding[], certain: boolean): void {
  found.sort(byStart);
  const starts = found.map(({ start }) => start);
  const ends = found.map(({ end }) => end);
  const gone = new Set<Finding>();
  const more = here.filter((one) => {
    const rivals = found.slice(indexUpTo(ends, one.start) + 1, indexUpTo(starts, one.end - 1) + 1);
    const wins = rivals.every((rival) => gone.has(rival) || replaces(one, rival, certain));
    if (wins) for (const rival of rivals) gone.add(rival);
    return wins;
  });
  found.splice(0, found.length, ...found.filter((one) => !gone.has(one)), ...more);
}

function replaces(later: Finding, earlier: Finding, certain: boolean): boolean {
  const isNamed = /code|number/.test(earlier.name ?? '');
  const isSameCode = later.code === earlier.code;
  if (isSameCode && later.kind === earlier.kind)
    return certain && isWeak(later) && !isWeak(earlier) && !isNamed;
  // A reading that lost the label takes no code back.
  if (isSameCode && earlier.kind === 'labelled' && later.kind === 'near-miss') return false;
  // If decoding in this order cuts a code between its groups, the order was wrong.
  if (later.kind === 'labelled' && earlier.code.startsWith(`${later.code}-`)) return false;
  // A tag that was removed may have been its label.
  if (earlier.kind === 'none' && earlier.isNamed && later.kind !== 'labelled') return false;
  const isKnown = ({ kind }: Finding): boolean => kind === 'uuid-form' || kind === 'pattern';
  if (!certain) return isKnown(later) && !isKnown(earlier);
  if (isKnown(earlier) && !isKnown(later)) {
    if (later.kind === 'none') return later.isPart || (later.isNamed && !isNamed);
    // A code of a known form is a fragment only if the other finding extends beyond it.
    return later.kind === 'labelled' && (later.start < earlier.start || later.end > earlier.end);
  }
  return true;
}

/**
 * Matches each character at which a code may begin: not in the middle of a word, unless the label is joined to the
 * code.
 */
const wordStart = /(?<=^|[^a-z\d]|code|key)\S/gi;

const bareDigits = /^[\da-f]{32}$/i;

/** Looks for codes in one reading, which has no escapes left. Returns them in order. */
function candidatesIn(text: string, patterns: readonly CodeShape[]): Finding[] {
  const kinds = [
    { kind: 'uuid-form' as const, shape: uuidForm },
    ...patterns.map((shape) => ({ kind: 'pattern' as const, shape })),
  ];
  const nameOf = namesIn(text);
  const found: Finding[] = [];
  /** The text read so far, without the codes found in it. */
  let rest = '';
  wordStart.lastIndex = 0;
  for (let word = wordStart.exec(text); word !== null; word = wordStart.exec(text)) {
    const start = word.index;
    for (const { kind, shape } of kinds) {
      const match = matchShape(shape, text, start);
      if (match === undefined || !beginsAt(text, start)) continue;
      const { code, end, hasGaps } = match;
      const opening = text.charAt(start - 1);
      // The quotation mark that opens it would close it.
      if (/["'`]/.test(opening) && code.includes(opening)) continue;
      const name = nameOf(start);
      // Bare digits may as well be a checksum, so they count only after a label (below) or alone on a line.
      const isBare = bareDigits.test(code) && !/code|key|other/.test(name ?? '');
      if (isBare && !isAlone(text, start, end)) continue;
      const isWhole =
        endsAt(text, end) || (!hasGaps && gluedBehind.test(text.slice(end, end + 11)));
      const isNamed = name === 'other';
      const isPart = !isWhole || (hasGaps && isRow(text, start, end));
      const isOther =
        isPart || isNamed || constants.test(code) || isInNonCodeContext(text, start, end, name);
      const place = { code, start, end };
      found.push(isOther ? { ...place, kind: 'none', isNamed, isPart } : { ...place, kind, name });
      if (!isWhole) continue;
      rest += text.slice(rest.length, start) + '_'.repeat(end - start);
      wordStart.lastIndex = end;
      break;
    }
  }
  found.push(...labelledIn(rest + text.slice(rest.length), nameOf, [uuidForm, ...patterns]));
  return found.sort(byStart);
}

/** A word or date that a viewer joined to a code by dropping the line break between them. */
const gluedBehind = /^(?:(?![a-f]{3})\p{L}\p{Ll}{2}|20\d\d-[01]\d-[0-3]\d(?!\d))/u;

/** Well-known ids: all zeros, and those of Bluetooth. */
const constants = /^[0-]+$|-1000-8000-00805f9b34fb$/i;

/**
 * Letters and digits in groups. Groups of capitals may have two dashes between them; others have one, after which the
 * line may break. A dash other than a hyphen separates a run from a word, and so do two hyphens unless a digit follows.
 */
const run =
  /[A-Z\d]{2,12}(?:[-–]{2}[A-Z\d]{2,12}){2,9}(?![A-Za-z\d–-])|[A-Za-z\d]{1,129}(?:(?:-|–(?![A-Z]?[a-z]+(?![A-Za-z\d–-]))|[-–]{2}(?=[A-Z]*\d)(?=[A-Z\d]{3}))(?:[ \t]{0,8}(?:\r\n|[\r\n])[ \t]{0,12}(?=[A-Za-z\d-]{0,128}\d)| {1,3}(?=[A-Z]*\d[A-Z\d]{4}))?[A-Za-z\d]{1,129})*/g;
const runHere = new RegExp(run.source, 'y');
const between = /[ \t\r\n,;•*&+/|>"'–-]{1,12}(?:(?:and|und|et|y|e|og|en|\d{1,2}[.)]) )?/y;
/** After such a character the run is the tail of an escape, as in `=A0for`, or a property name. */
const restOfEscape =
  /(?<=[\\%&…]|[*•●]-|[A-Za-z\d]_)|(?<=\.)(?=[a-z])|(?<==)(?=(?:3D)*[\dA-F]{2}[a-z]+(?![\w-]))/y;
const minLength = 8;
const maxLength = 128;

/**
 * Finds codes of any form after a label such as "purchase code:", and near-misses anywhere. A labelled code has 8 to
 * 128 letters, digits and dashes, or other characters as in {@link joinedKey}, and contains a digit or groups of
 * capitals. Codes of the same length that follow it, as in a list, count too, and so do keys with the same groups
 * anywhere. A key that nothing names is a near-miss.
 */
function* labelledIn(
  text: string,
  nameOf: NameOf,
  shapes: readonly CodeShape[],
): Generator<Finding> {
  const unnamed: Token[] = [];
  /** The group lengths of the codes that have a label. */
  const named = new Set<string>();
  run.lastIndex = 0;
  for (let word = run.exec(text); word !== null; word = run.exec(text)) {
    // A page that lost its layout joins a label to its key.
    const index =
      word.index + (/^(?:[Cc]ode|[Kk]ey)(?=[A-Z\d]{2}|[\da-f]{32})/.exec(word[0])?.[0].length ?? 0);
    restOfEscape.lastIndex = index;
    const joined = joinedAt(text, word.index, run.lastIndex);
    const first = joined ?? (isCode(word[0]) ? tokenAt(text, index) : undefined);
    if (first === undefined || restOfEscape.test(text)) continue;
    const name = nameOf(index);
    if (name === 'other' || isInNonCodeContext(text, index, first.end, name)) continue;
    const isNamed = joined === undefined ? fitsName(first.code, name) : name === 'code';
    const isCut =
      first.isCut ||
      (first.code.length > minLength && shapes.some((shape) => isBeginning(shape, first.code)));
    if (name !== 'id' && (nearlyCode.test(first.code) || (isNamed && isCut))) {
      yield { ...first, kind: 'near-miss', isNamed };
      run.lastIndex = first.end;
    } else if (isNamed) {
      named.add(groupsOf(first.code));
      for (let token: Token | undefined = first; token?.code.length === first.code.length;) {
        yield { ...token, kind: 'labelled', ...(name === 'number' && { name }) };
        run.lastIndex = token.end;
        between.lastIndex = token.end;
        token = between.test(text) ? tokenAt(text, between.lastIndex) : undefined;
        if (token !== undefined && /other|unclear/.test(nameOf(token.start) ?? '')) break;
      }
    } else if (
      name === undefined &&
      /^(?=.*[A-Z])(?:[A-Z\d]{4,8}-){2,9}[A-Z\d]+$/.test(first.code)
    ) {
      unnamed.push(first);
    }
  }
  for (const [groups, keys] of Map.groupBy(unnamed, ({ code }) => groupsOf(code))) {
    const areKeys =
      keys.length > 1 &&
      keys.some(({ code }) => keyForm.test(code)) &&
      isBelowName(text, keys[0]?.start ?? 0);
    for (const key of keys) {
      if (isOfDocument(text, key.start)) continue;
      if (named.has(groups) || areKeys) yield { ...key, kind: 'labelled' };
      else if (keyForm.test(key.code) && hasEvenGroups(key.code))
        yield { ...key, kind: 'near-miss', isNamed: false };
    }
  }
}

function groupsOf(code: string): string {
  return code.replaceAll(/\w/g, 'X');
}

/** `isCut`: it is a beginning of a code that breaks off. */
type Token = Omit<FoundCode, 'kind'> & { readonly isCut: boolean };

/** Groups of capitals and digits, with at least one of each. */
const keyForm =
  /^(?:(?=.*[A-Z])(?=.*\d)(?:[A-Z\d]{4,8}-){2,9}[A-Z\d]{1,8}|(?:[A-Z]{5}-){3,4}[A-Z]{5})$/;

/** Tells whether a label calls this a code. Other numbers have neither dashes nor letters beyond F. */
function fitsName(code: string, name: ValueName | undefined): boolean {
  if (name === 'number') return /^[A-Z\d-]+$/.test(code) && /[G-Z]|-.*-/.test(code);
  // The bare word "code" also names short things, such as an error code.
  if (name === 'bare-code') return code.length >= 16 && /[a-z]/i.test(code);
  if (name === 'bare-key') return keyForm.test(code);
  return name === 'code';
}

/** A key of capitals to which a viewer has joined a word, or the name of a button. */
const gluedWord =
  /^(?:[A-Z\d–-]{8,}(?=(?:[Cc]opy|content)$)|[\da-f]{32}(?=(?:copy|content|[A-Z][a-z]{2,})$)|(?=.*-)[A-Z\d–-]{8,}(?=(?:[A-Z][a-z]{2,})+$))(?<!-)/;

/**
 * A key whose groups `_` or `.` joins, or one in base64 that ends in `==`; a longer one may be a license. Between
 * groups of one length, `_` stands for a dash.
 */
const joinedKey =
  /(?:[A-Za-z\d]{1,64}[_-]){1,12}[A-Za-z\d]{1,64}|(?:[A-Z\d]{4,8}\.){2,8}[A-Z\d]{4,8}|[A-Za-z\d+/]{18,62}==/y;

/** Tells whether a text is a key whose groups `_` or `.` joins, or one in base64, and nothing else. */
export function isJoinedKey(text: string): boolean {
  return joinedAt(text, 0, text.search(/[^A-Za-z\d-]/))?.end === text.length;
}

/**
 * Reads a key that has other characters than letters, digits and dashes. Names of files and settings have no group of
 * letters and digits, and secret keys of other services begin with a prefix of their own.
 * @param end where the run of letters, digits and dashes ends
 */
function joinedAt(text: string, start: number, end: number): Token | undefined {
  if (
    !/[_.=+/]/.test(text.charAt(end)) ||
    /[\w.+/-]/.test(text.charAt(start - 1)) ||
    gluedWord.test(text.slice(start, end))
  )
    return undefined;
  joinedKey.lastIndex = start;
  const code = joinedKey.exec(text)?.[0] ?? '';
  const groups = code.split(/[_.-]/);
  const isKey =
    /[_.=]/.test(code) &&
    !hasEvenGroups(code.replaceAll('_', '-')) &&
    /(?:\d\D*){3}|==$/.test(code) &&
    groups.some((group) => /^(?=\D*\d)(?=.*[A-Za-z])/.test(group)) &&
    code.length >= 12 &&
    code.length <= 64 &&
    !/^(?:[sr]k|gh\w)_/.test(code) &&
    isCode(code) &&
    !/^(?:[\w@*…<=+/[-]|\.\S)/.test(text.slice(start + code.length, start + code.length + 2));
  return isKey ? { code, start, end: start + code.length, isCut: false } : undefined;
}

function hasEvenGroups(code: string): boolean {
  return code.includes('-') && new Set(code.split('-').map(({ length }) => length)).size === 1;
}

const brokenOff = /^[ \t]{0,8}\r?\n[ \t]{0,12}(?=\S*[\d-])([A-Z\d]*(?:-[A-Z\d]+)*)(?![\w=:-])/;

/** Returns what a line break has separated from a key of capitals whose groups have one length, four at least. */
function brokenRest(own: string, rest: string): string {
  const [gap = '', more = ''] = /^[A-Z\d]{4,}-[A-Z\d-]+$/.test(own)
    ? (brokenOff.exec(rest) ?? [])
    : [];
  // Several groups behind a dash are an entry of a list.
  return more !== '' && hasEvenGroups(own + more) && !/^-.*-/.test(more) ? gap : '';
}

/** Reads a free-standing run; if a line breaks after a dash, its parts are joined. */
function tokenAt(text: string, start: number): Token | undefined {
  runHere.lastIndex = start;
  const whole = runHere.exec(text)?.[0] ?? '';
  const alone = gluedWord.exec(whole)?.[0] ?? whole;
  const own =
    alone +
    (alone === whole
      ? brokenRest(alone, text.slice(start + whole.length, start + whole.length + maxLength))
      : '');
  const code = own.replaceAll(/\s+/g, '').replaceAll(/[-–]{1,2}/g, '-');
  const end = start + own.length;
  const rest = text.slice(end, end + 20);
  const goesOn =
    alone === whole &&
    /^(?:_*[A-Za-z\d]|[+/][A-Za-z\d+/]{16}|[@\\\uFFFD]|-?(?:%[\dA-F]|=)|&#?\w{1,10};|:\/\/|\.(?:\d|[\w-]{8})|[-–](?:[*•_…[<(]|\.\.)|[#*•]{4}|-?[\p{LC}\p{N}]|–[^\P{LC}A-Za-z]|[-–]{2}[A-Z]*\d)/u.test(
      rest,
    );
  // The groups of the common form may be separated by characters other than dashes, or by a word for one.
  const isCut =
    /^[\da-f]{8}(?:-[\da-f]{4}){0,3}$/i.test(code) &&
    /^(?:…|\.\.| ?[-–](?!\S)| (?:dash|hyphen|minus)\b|(?: \p{L}{4,9} |[^\p{L}\p{N}]{1,3})(?!20\d\d)[\da-f]{4,12}(?![\p{L}\p{N}]))/iu.test(
      rest,
    );
  // Three dots behind groups of one length end a sentence; a dash may be the second of a pair.
  const isStump =
    (/^(?:\.\.|…|- )/.test(rest) && !hasEvenGroups(code)) ||
    (/^-[ \t]*(?:$|[\r\n])/.test(rest) && text[start - 1] !== '-');
  // A single group that other characters join to more text is part of it, as in base64.
  const isPart = !code.includes('-') && /^[+/~#$:*!^]\w/.test(rest);
  return code.length <= maxLength && isCode(code) && !goesOn && !isPart
    ? { code, start, end, isCut: isCut || isStump }
    : undefined;
}

/**
 * Tells whether a run may be a code: long enough, with a digit or groups of capitals, and not a date, a masked code or
 * a placeholder.
 */
function isCode(code: string): boolean {
  if (
    code.length < minLength ||
    /^\d{1,4}-\d{1,2}-\d{1,4}(?:T\d\d)?$|x{4}|your[-_]|^cve-|^\d{5}-\d{5}-\d{5}-[a-z]{2}/i.test(
      code,
    )
  )
    return false;
  return /\d/.test(code) || /^[A-Z]{2,8}(?:-[A-Z]{4,8}){2,9}$/.test(code);
}

/** Near-misses of the common form: some digits too few or too many, or letters that digits are mistaken for. */
const nearlyCode =
  /^(?=.*\d)(?:[\da-f]{6,10}(?:-[\da-f]{3,6}){3}-[\da-f]{8,16}|[\da-foilzs]{8}(?:-[\da-foilzs]{4}){3}-[\da-foilzs]{12}|(?=.*[oilzs])[\da-foilzs]{8}(?:-[\da-foilzs]{8}){3})$/i;
