import { tableCells } from '#core/codes/table-headings';
import { holdsOtherIds, isDocument, readValueName, type ValueName } from '#core/codes/value-names';

const inLink =
  /(?:[a-z]:\/\/|www\.|\b(?:arn|urn|cid|xmp\.[a-z]id):)[^\s<>"'|)\u3000-\u303F\uFF00-\uFFEF]*$/i;
/**
 * Matches a name of codes in a link, as in `?license=` and `/licenses/`. It is none in `arn:aws:kms:eu:48211:key/…`, a key of an
 * account, nor in `/v1/licenses/…`, where an interface has an id.
 */
const namesACode =
  /(?<!\d:)(?:purchase|code|licen[cs]e|key|serial|activat)[^\s/?&#=]{0,24}(?:=|(?<!\/v\d\/\S{0,99}s)\/)$/i;
/** A path separator after another one or after a drive; a lone slash may also stand between a label and its value. */
const inPath = /(?:[\\/][^\s\\/"'<>]*[\\/]|\\)\{?$/;
/**
 * After the `@` of an id, on the boundary between the parts of a mail, in a header that holds secrets, in a boot loader's disk
 * search, or as PostgreSQL shows the key of a row.
 */
const inHeader =
  /\w@$|=_$|(?:^|[\r\n])--$|(?:(?:cookie|authorization)\s?:|--fs-uuid|--set=)[^\r\n"'<>]*$|id\)=\($/i;
const maxBefore = 1000;
const goesOnAsFile =
  /^>\s\/\w|^\/\d+-\d|^\.(?:png|jpe?g|gif|webp|svg|pdf|zip|txt|log|mp\d|mov|csv|json|xml|html?|eml|lic|dmp|com|net|org)(?![a-z\d])/i;

/** Tells whether a code may begin here, outside any longer run. More than eight dashes in a row are a ruled line. */
export function beginsAt(text: string, start: number): boolean {
  return !/[a-z\d](?:(?<!code|key)|[-_]{1,8})$/i.test(before(text, start, 9));
}

export function endsAt(text: string, end: number): boolean {
  return !/^[-_]?[a-z\d]/i.test(text.slice(end, end + 2));
}

/** Lines of a report of hardware, in which a serial number is that of a device. */
const hardware = /Model (?:Id|N|F)|Device Model|\n[\t ]+Manufact|\(system\)/;

/** Tells what a value that begins at an index is called. */
export type NameOf = (start: number) => ValueName | undefined;

/**
 * Tells whether a stretch is a mail address, a file's name, a GUID as Windows writes it, an id in a log, or part of a header or
 * of a link that does not call it a code.
 * @param name what the value is called
 */
export function isElsewhere(
  text: string,
  start: number,
  end: number,
  name: ValueName | undefined,
): boolean {
  const front = before(text, start, maxBefore);
  const [link = ''] = inLink.exec(front) ?? [];
  // One without a query ends at the separator of a cell.
  if (/[?=]|[^,;]$/.test(link) || inPath.test(front)) return !namesACode.test(front);
  // A log has the id of a request in brackets in front of what it says.
  const isFramed =
    /^(?:\{[^a-z]+\}|\[\S+\] \w)/.test(text.slice(start - 1, end + 3)) &&
    (name !== 'code' || /productcode\W*$/i.test(front));
  return (
    inHeader.test(front) ||
    isFramed ||
    // Textile writes program code between two of them.
    (text[end] === '@' && text[start - 1] !== '@') ||
    goesOnAsFile.test(text.slice(end, end + 8))
  );
}

/**
 * Returns a function that tells what the heading of its column, or else the label in front of it, says of a value; of an id,
 * whether it is that of something else.
 */
export function namesIn(text: string): NameOf {
  const cellAt = tableCells(text);
  return (start) => {
    const cell = cellAt(start);
    const name =
      cell === undefined
        ? nameBefore(text, start)
        : (readValueName(cell.heading, false) ??
          nameBefore(cell.row, cell.at) ??
          (/\d/.test(cell.heading) ? nameBefore(text, start) : 'unclear'));
    const isOther =
      (name === 'id' && (cell !== undefined || isIdOfOthers(text, start))) ||
      (name === 'number' && hardware.test(before(text, start, 300)));
    return isOther ? 'other' : name;
  };
}

/** Tells whether nothing else is on its line but the marks of a list or a quotation. */
export function isAlone(text: string, start: number, end: number): boolean {
  const [head = ''] = before(text, start, 300).split('\n').slice(-1);
  return !/^.*[^\s>*-]/.test(head + text.slice(end, end + 300));
}

/** Tells whether words with gaps between them are part of a longer row, as in lists, dumps of memory and fingerprints. */
export function isRow(text: string, start: number, end: number): boolean {
  return rowBefore.test(before(text, start, 300)) || rowBehind.test(text.slice(end, end + 300));
}

/** Returns what stands in front of a place, up to a length. */
function before(text: string, end: number, length: number): string {
  return text.slice(Math.max(0, end - length), end);
}

const rowBefore =
  /(?:(?<![a-z\d])(?:(?:0x)?[\da-f]{4,}:?|(?=[a-z]*\d)[a-z\d]{4,}[ \t]{0,8}[-–])|:[\da-f]{2})[ \t]{1,8}$|(?<![a-z\d])(?:[\da-f]{4,16}[:\s]\s{0,4}){2}[\da-f]{4,16}\W{0,8}$/i;
const rowBehind =
  /^[ \t]{1,8}(?:[\da-f]{4,}(?![a-z\d])|[-–][ \t]{0,8}(?:(?=[a-z]*\d)[a-z\d]{4,}|[\r\n]))|^\W{0,8}(?:[\da-f]{4,16}[:\s]\s{0,4}){2}[\da-f]{4,16}(?![a-z\d])/i;

/** A name does not reach across one of these. */
const separators =
  /[:=：;!&]|\?(?:(?![a-z])|(?<!(?:^|[\s:])[a-z]+\?))|\.\s(?<!\bn(?:r?[or])?\.\s)/i;
const maxName = 80;
/** The name in the element around a value, in an attribute of it, or in the element before it. */
const tagBefore =
  /<(?:(?:key|dt|name)>([^<>]{1,40})<\/\w{1,9}>\s{0,40}<(?:dd|string|\w*value)|(?:\w{1,20} (?:name|key)=")?([\p{L}_][\p{L}\w:-]{0,40})(?:["\s][^<>]{0,40})?)>$/iu;
/** Elements of HTML, and those of other formats that hold a value, say nothing about it. */
const tagsWithoutName =
  /^(?:..?|pre|div|span|code|kbd|samp|strong|mark|small|font|label|.*(?:text|value)|string|cell)$/i;

/**
 * Tells what the name in front of a value says of it: on its line or above, or as the tag around it. Where it says
 * nothing, what stands around the value may still name it.
 */
function nameBefore(text: string, start: number): ValueName | undefined {
  const [at, isOpen, isBelow, isMember] = nameEnd(text, start);
  const front = before(text, at, maxName);
  const [, label, tag = label] = tagBefore.exec(front) ?? [];
  const [above = '', line = ''] = `\n${front}`.split(/\n\s*/).slice(-2);
  const [heading = '', last = ''] = `:${line}`.split(separators).slice(-2);
  const own = tag ?? last.replace(/<\w+ /, '');
  const isAssigned =
    isMember || (/(?:^|[{,])\s*[\p{L}\w-]+$/u.test(own) && /["'`]/.test(text.charAt(start - 1)));
  if (isAssigned && holdsOtherIds(own)) return 'other';
  let says = readValueName(own, isOpen && tag === undefined);
  // A line may end between the words of a name.
  if (own === line && /^(?:bare|undef)/.test(String(says)))
    says = readValueName(`${above.split(separators).at(-1) ?? ''} ${own}`, false) ?? says;
  // At the end of a sentence, "my device" is no name.
  const isSentence =
    !isOpen && (/\bmy /i.test(own) || (isBelow && tag === undefined && own.length > 30));
  if (says === 'other' && isSentence) return 'id';
  if (says === 'bare-code' && !isOpen) return tag === undefined ? 'bare-key' : undefined;
  if (says !== undefined) return says;
  if (tag !== undefined) return tagsWithoutName.test(tag) ? undefined : 'unclear';
  // What holds a value and its type has the name: `"licenseKey": {"stringValue": "…"}`, `<input value="…" name="license_key">`.
  if (/(?:^\W*s|value|default)$/i.test(own))
    return readValueName(nameAround(text, start) || nameBehind(text, start), false);
  if (isDocument(own)) return 'unclear';
  // A heading may stand in front of it on its line, as in "License keys: Orbit:". A member of a record has its own name.
  if (
    (!isAssigned && (readValueName(heading, false) === 'code' || isNamedBehind(text, start))) ||
    (!(isAssigned && /^[\da-f]{8}-/i.test(text.slice(start, start + 9))) &&
      isAnswer(before(text, at, 300), isBelow))
  )
    return 'bare-key';
  // Names of settings are written small, those of headers and options with a mark of theirs.
  const isSetting =
    isAssigned || (isOpen && /^(?:[•*-] )?(?:X-\S+|[a-z_]+)$/.test(line)) || / --[\w-]+$/.test(own);
  return isSetting && !/text|body|message/i.test(own) ? 'unclear' : undefined;
}

/** Words and characters between a label and its value, and spaces, with which reports align their values. */
const connectors =
  /[ \t]{0,24}(?:(?<=\(["'][a-z_]\w{1,40}["']),|(?<![\p{L}\p{N}])(?:er|är|on|jest|to|это|है|was|ist?|lautet|je|este?|es|è|é|là|adalah|هو)|[は是为為]|(?:";s:|=>\s{1,9}string\()\d{1,3}[:)]|[は는] ?[以下次아][^\n:]{2,9}|[-=]{1,2}>|>?[-–=|:：#→]{1,3})$/iu;

/**
 * Finds where a name ends: in front of quotation marks, line ends, words such as "is" and an aside in parentheses.
 * @returns `isOpen`: whether other words may stand behind the name, as before a colon. `isBelow`: whether the value is
 * on another line
 */
function nameEnd(
  text: string,
  start: number,
): [at: number, isOpen: boolean, isBelow: boolean, isAssigned: boolean] {
  let at = start;
  const skip = (pattern: RegExp): string => {
    const [found = ''] = pattern.exec(before(text, at, maxName)) ?? [];
    at -= found.length;
    return found;
  };
  // Programs show a value as `Some("…")` or `UUID('…')`, and LaTeX as `\texttt{…}`.
  skip(/(?:<!\[CDATA| IN (?=\()|(?<=[:=] ?)\\?\w{1,12}(?=[({]))?["'“‘«„「『【<([{*_`~@]{1,3}$/i);
  // A mark of a list.
  skip(/(?<=[\r\n][ \t]{0,12})(?:\d{1,2}[.)]|[*•·-])[ \t]{1,4}$/);
  // In a chat, a message begins with its time and who wrote it.
  skip(/(?<=\n)[[(]?\d[\d/.:, APM-]{3,24}[\])]?[^\n\d:]{1,30}(?:: |\n)$/i);
  // Quoted-printable ends a continued line with `=`.
  const isBelow = skip(/(?:=?[ \t]{0,8}(?:\r\n|[\r\n])[ \t]{0,12}){1,9}$/) !== '';
  const gap = skip(/(?:[ \t]{0,4}\.{4,40})?[ \t]{0,40}$/);
  skip(/[*_?]{1,3}$/);
  const between = `${skip(connectors)}\n${skip(connectors)}`;
  // In English, the name of what goes "to" a value is none of it; in Polish, the word is "is".
  const isOpen = /[\p{L}:=：]$/mu.test(between) && !/\bto$/m.test(between);
  skip(/[ \t]{0,3}\([^(\r\n]{0,40}\)$/);
  const isAssigned =
    /^ *=>?$|\d[:)]$/m.test(between) ||
    // Columns are parted by more than a space, and a name in one has two words at most.
    (!isBelow &&
      /\t|\.| {2}/.test(gap) &&
      /[\n\t][ \t]{0,24}[\p{L}_]\S*(?: \S+)?$/u.test(`\n${before(text, at, maxName)}`)) ||
    /["']/.test(skip(/["'”’»\])*_`]{1,3}$/));
  return [at, isOpen, isBelow, isAssigned];
}

/**
 * Tells whether what begins here, as the first of several, answers the words in front of it or a line not far above, which is no
 * whole sentence.
 */
export function isBelowName(text: string, start: number): boolean {
  const lines = before(text, start, 300)
    .replace(/[\d\s#.)[\]:]{1,20}$/, '')
    .split('\n')
    .filter((line) => !/[.?!。]$/.test(line.trimEnd()));
  return isAnswer(lines.join('\n'), true);
}

/** Tells whether a key answers a line that is not far above; behind words of its own it needs a short heading. */
function isAnswer(front: string, isBelow: boolean): boolean {
  const near = front
    .split(/\n\s*/)
    .slice(0, isBelow ? undefined : -1)
    .filter((part) => !holdsKey.test(part) && (isBelow || part.length < 26))
    .slice(-2)
    .findLast((part) => isDocument(part) || namesKey(part));
  return near !== undefined && !isDocument(near);
}

/** Tells whether the words behind a value call it a code, as in "… is my license key". */
function isNamedBehind(text: string, start: number): boolean {
  const [, words = ''] =
    /^[\w–-]+(?![\w–-])[^\p{L}:.\n]{0,4}(?!for )(\p{L}[^.,;:!?\n]{0,40})/u.exec(
      text.slice(start, start + 99),
    ) ?? [];
  return namesKey(words);
}

const holdsKey = /^[^\d\s]{0,40}\d\S{0,40}-|\d\S{0,40}\s?$/;

/** Tells whether words name a code; others may stand behind the name. */
function namesKey(words: string): boolean {
  return /code|key|number/.test(readValueName(words, true) ?? '');
}

function nameBehind(text: string, start: number): string {
  return (
    /^[^{}<>]{0,200}?(?:\b|_)(?:name|key|label)["']?\s?[:=]\s?["']([^"']+)/.exec(
      text.slice(start, start + 300),
    )?.[1] ?? ''
  );
}

/**
 * Tells whether what is only called an id is that of something else: by the object around it, as a resource of an interface,
 * which has a type, or beside its key.
 */
function isIdOfOthers(text: string, start: number): boolean {
  return (
    holdsOtherIds(nameAround(text, start)) ||
    /["'](?:type|key)["'][^{}]*$/.test(before(text, start, 80)) ||
    /^[^{}]*["'](?:type|key)["']/.test(text.slice(start, start + 400))
  );
}

/** Returns the name of the JSON object or settings section that a value is in; `''` if there is none near enough. */
function nameAround(text: string, start: number): string {
  let depth = 0;
  for (let at = start - 1; at > Math.max(0, start - maxBefore); at -= 1) {
    const character = text[at];
    if (character === '}' || character === ']') depth += 1;
    else if (character === '{' || character === '[') depth -= 1;
    if (depth >= 0) continue;
    depth = 0;
    const [, name = 'node'] =
      /["'](\w{1,60})["']\s{0,4}:?\s{0,8}$/.exec(before(text, at, 80)) ?? [];
    if (!/^(?:nodes?|edges|data|items|attributes)$/.test(name)) return name;
  }
  const lines = before(text, start, maxBefore).split('\n');
  const indent = lines.pop()?.search(/\S/) ?? 0;
  const isAround = (line: string): boolean =>
    /^\[.*\]\s*$/.test(line) || (/^\s*[\w-]+:\s*$/.test(line) && line.search(/\S/) < indent);
  return lines.findLast(isAround) ?? '';
}
