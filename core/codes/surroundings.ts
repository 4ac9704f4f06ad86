import { tableCells } from '#core/codes/table-headings';
import { holdsOtherIds, isDocument, readValueName, type ValueName } from '#core/codes/value-names';

const inLink =
  /(?:[a-z]:\/\/|www\.|arn:|\b(?:urn|cid|xmp\.[a-z]id):)[^\s<>"'|)\u3000-\u303F\uFF00-\uFFEF]*$/i;
/**
 * Matches a name for codes in a link, as in `?license=` and `/licenses/`. Does not match `arn:aws:kms:eu:48211:key/…`,
 * which is an encryption key, nor `/v1/licenses/…`, where an API has an id.
 */
const namesACode =
  /(?<!\d:)(?:purchase|code|licen[cs]e|key|serial|activat)[^\s/?&#=]{0,24}(?:=|(?<!\/v\d\/\S{0,99}s)\/)$/i;
/**
 * A path separator after another one or after a drive. A lone slash does not count, since it may separate a label from
 * its value.
 */
const inPath = /(?:[\\/][^\s\\/"'<>]*[\\/]|\\)\{?$/;
/**
 * Contexts without a code: after the `@` of an id, the boundary between parts of a mail, a header that holds secrets, a
 * boot loader's disk search, and the key of a row as PostgreSQL shows it.
 */
const inHeader =
  /\w@$|=_$|(?:^|[\r\n])--$|(?:(?:cookie|authorization)\s?:|--fs-uuid|--set=)[^\r\n"'<>]*$|id\)=\($|(?:duplicate entry|machine named) ['"]$/i;
const maxBefore = 1000;
const goesOnAsFile =
  /^>\s\/\w|^\/\d+-\d|^\.(?:png|jpe?g|gif|webp|svg|pdf|zip|txt|log|mp\d|mov|csv|json|xml|html?|eml|lic|dmp|com|net|org)(?![a-z\d])/i;

/**
 * Tells whether a code may begin here, outside any longer run. More than eight dashes in a row are a horizontal line.
 */
export function beginsAt(text: string, start: number): boolean {
  return !/[a-z\d](?:(?<!code|key)|[-_]{1,8})$/i.test(before(text, start, 9));
}

export function endsAt(text: string, end: number): boolean {
  return !/^[-_]?[a-z\d]/i.test(text.slice(end, end + 2));
}

/** Lines of a hardware report, in which a serial number belongs to a device. */
const hardware = /Model (?:Id|N|F)|Device Model|\n[\t ]+Manufact|\(system\)/;
/** Words for a device, whose serial number is one group of capitals and digits. */
const device =
  /\b(?:Model|Modell\w*|IMEI|Laptop|Notebook|\w*(?:Mac|[Bb]ook)(?: Pro)?|iPhone|iPad|\w+Jet|Printer|Device|Dell|Lenovo|ThinkPad|Galaxy)\b|mod[eè]l|型号|機種|\((?:sist|syst|系统|システム)/;
const oneGroup = /^[A-Z\d]{7,20}(?![\w-])/;

/** Returns the name of the value that begins at an index. */
export type NameOf = (start: number) => ValueName | undefined;

/**
 * Tells whether a stretch is not a code because of where it is: in a mail address, a file name, a GUID as Windows
 * writes it, an id in a log, or a header or link that does not call it a code.
 * @param name the value's name
 */
export function isInNonCodeContext(
  text: string,
  start: number,
  end: number,
  name: ValueName | undefined,
): boolean {
  const front = before(text, start, maxBefore);
  const [link = ''] = inLink.exec(front) ?? [];
  // A link without a query ends at a cell separator.
  if (/[?=]|[^,;]$/.test(link) || inPath.test(front)) return !namesACode.test(front);
  // A log line has the request's id in brackets before its message.
  const isFramed =
    /^(?:\{[^a-z]+\}|\[\S+\] \w)/.test(text.slice(start - 1, end + 3)) &&
    (name !== 'code' || /productcode\W*$/i.test(front));
  return (
    inHeader.test(front) ||
    isFramed ||
    // Textile writes program code between two `@`.
    (text[end] === '@' && text[start - 1] !== '@') ||
    goesOnAsFile.test(text.slice(end, end + 8))
  );
}

/**
 * Returns a function that names a value by its column's heading, or else by the label before it. It also decides
 * whether a bare "id" belongs to another object.
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
      (name === 'number' &&
        (hardware.test(before(text, start, 300)) ||
          (oneGroup.test(text.slice(start, start + 21)) && device.test(before(text, start, 120)))));
    return isOther ? 'other' : name;
  };
}

/** Tells whether the words before a stretch on its line are about something that has a number of its own. */
export function isOfDocument(text: string, start: number): boolean {
  return isDocument(before(text, start, 40).split('\n').at(-1) ?? '');
}

/** Tells whether a stretch is alone on its line, apart from list or quotation marks. */
export function isAlone(text: string, start: number, end: number): boolean {
  const [head = ''] = before(text, start, 300).split('\n').slice(-1);
  return !/^.*[^\s>*-]/.test(head + text.slice(end, end + 300));
}

/** Tells whether groups with gaps between them are part of a longer row, as in lists, memory dumps and fingerprints. */
export function isRow(text: string, start: number, end: number): boolean {
  return rowBefore.test(before(text, start, 300)) || rowBehind.test(text.slice(end, end + 300));
}

/** Returns the text before a position, up to a length. */
function before(text: string, end: number, length: number): string {
  return text.slice(Math.max(0, end - length), end);
}

const rowBefore =
  /(?:(?<![a-z\d])(?:(?:0x)?[\da-f]{4,}:?|(?=[a-z]*\d)[a-z\d]{4,}[ \t]{0,8}[-–])|:[\da-f]{2})[ \t]{1,8}$|(?<![a-z\d])(?:[\da-f]{4,16}[:\s]\s{0,4}){2}[\da-f]{4,16}[^a-z]{0,40}$/i;
const rowBehind =
  /^[ \t]{1,8}(?:[\da-f]{4,}(?![a-z\d])|[-–][ \t]{0,8}(?:(?=[a-z]*\d)[a-z\d]{4,}|[\r\n]))|^[^a-z]{0,40}(?:[\da-f]{4,16}[:\s]\s{0,4}){2}[\da-f]{4,16}(?![a-z\d])/i;

/** A name ends at one of these. */
const separators =
  /[:=：;!&\\]|\?(?:(?![a-z])|(?<!(?:^|[\s:])[a-z]+\?))|\.\s(?<!\bn(?:r?[or])?\.\s)/i;
const maxName = 80;
/** A name in the element around a value, in an attribute of that element, or in the element before it. */
const tagBefore =
  /<(?:(?:key|dt|name)>([^<>]{1,40})<\/\w{1,9}>\s{0,40}<(?:dd|string|\w*value)|(?:\w{1,20} (?:name|key)=")?([\p{L}_][\p{L}\w:-]{0,40})(?:["\s][^<>]{0,40})?)>$/iu;
/** Elements that say nothing about their value: those of HTML, and generic ones of other formats. */
const tagsWithoutName =
  /^(?:..?|pre|div|span|code|kbd|samp|strong|mark|small|font|label|.*(?:text|value)|string|cell)$/i;

/** Matches what stands before the last member of a JSON object or a line of `name="value"` pairs. */
const membersBefore = /^.*["'{,]\s*["'`]|^".*" |<\w+ /;
/** Matches a name that is used for any value: another member says what the value is. */
const genericName = /^\W*[Ss]$|(?:[Vv]alue|[Dd]efault)$|^(?:content|answer)$/;

/**
 * Returns what the name before a value says about it; the name may be on its line, above it, or in the tag around it.
 * If that says nothing, other text around the value may still name it.
 */
function nameBefore(text: string, start: number): ValueName | undefined {
  const [at, isOpen, isBelow, isMember] = nameEnd(text, start);
  const front = before(text, at, maxName);
  const [, label, tag = label] = tagBefore.exec(front) ?? [];
  const [above = '', line = ''] = `\n${front}`.split(/\n\s*/).slice(-2);
  const [heading = '', last = ''] = `:${line}`.split(separators).slice(-2);
  // A message in front of a member says nothing about it.
  const own = tag ?? last.replace(isMember ? membersBefore : /<\w+ /, '');
  const isAssigned =
    isMember || (/(?:^|[{,])\s*[\p{L}\w-]+$/u.test(own) && /["'`]/.test(text.charAt(start - 1)));
  if (isAssigned && holdsOtherIds(own)) return 'other';
  // The armour of a license names no code, although a key may stand in one.
  if (line.includes('--BEGIN ')) return 'bare-key';
  let says = readValueName(own, isOpen && tag === undefined);
  // A line break may separate the words of a name.
  if (own === line && /^(?:bare|undef)/.test(String(says)))
    says = readValueName(`${above.split(separators).at(-1) ?? ''} ${own}`, false) ?? says;
  // At the end of a sentence, "my device" is no name.
  const isSentence =
    !isOpen && (/\bmy /i.test(own) || (isBelow && tag === undefined && own.length > 30));
  if (says === 'other' && isSentence) return 'id';
  if (says === 'bare-code' && !isOpen) return tag === undefined ? 'bare-key' : undefined;
  if (says !== undefined) return says;
  if (tag !== undefined) return tagsWithoutName.test(tag) ? undefined : 'unclear';
  // The enclosing object or element may have the name: `"licenseKey": {"stringValue": "…"}`, `<input value="…"
  // name="license_key">`.
  if (genericName.test(own))
    return (
      readValueName(nameAround(text, start), false) ?? readValueName(nameBeside(text, start), true)
    );
  if (isDocument(own) && !/^customer$/i.test(own))
    return /(?:support|error|fehler).*refer/i.test(own) ? 'other' : 'unclear';
  // A heading may precede the name on the same line, as in "License keys: Orbit:". A property of a record has its own
  // name.
  if (
    (!isAssigned && (readValueName(heading, false) === 'code' || isNamedBehind(text, start))) ||
    (!(isAssigned && /^[\da-f]{8}-/i.test(text.slice(start, start + 9))) &&
      isAnswer(before(text, at, 300), isBelow))
  )
    return 'bare-key';
  // Names of settings are in lower case; names of headers and options have a mark of their own.
  const isSetting =
    isAssigned || (isOpen && /^(?:[•*-] )?(?:X-\S+|[a-z_]+)$/.test(line)) || / --[\w-]+$/.test(own);
  return isSetting && !/text|body|message/i.test(own) ? 'unclear' : undefined;
}

/** Words, characters and spaces between a label and its value; reports align values with spaces. */
const connectors =
  /[ \t]{0,24}(?:(?<=\(["'][a-z_]\w{1,40}["']),|(?<![\p{L}\p{N}])(?:er|är|on|jest|to|это|है|was|ist?|lautet|je|este?|es|è|é|là|adalah|هو)|[は是为為]|(?:";s:|=>\s{1,9}string\()\d{1,3}[:)]|[は는] ?[以下次아][^\n:]{2,9}|[-=]{1,2}>|>?[-–=|:：#→]{1,3})$/iu;

/**
 * Finds where a name ends: before quotation marks, line breaks, words such as "is" and an aside in parentheses.
 * @returns `isOpen`: whether other words may follow the name, as before a colon. `isBelow`: whether the value is on
 * another line
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
  const opening = skip(
    /(?:<!\[CDATA| IN (?=\()|(?<=[:=] ?)\\?\w{1,12}(?=[({]))?["'“‘«„「『【<([{*_`~@]{1,3}$/i,
  );
  // A list marker.
  skip(/(?<=[\r\n][ \t]{0,12})(?:\d{1,2}[.)]|[*•·-])[ \t]{1,4}$/);
  // In a chat, a message begins with its time and its author.
  const chat = skip(
    /(?<=\n[ \t]{0,12})[[(]?\d{1,4}[/.:-]\d[\d/.:, APM-]{1,24}[\])]?[^\n\d:]{1,30}(?:: |\n)$/i,
  );
  if (readValueName(chat, false) !== undefined) at += chat.length;
  // Quoted-printable ends a continued line with `=`.
  const isBelow = skip(/(?:=?[ \t]{0,8}(?:\r\n|[\r\n])[ \t]{0,12}){1,9}$/) !== '';
  const gap = skip(/(?:[ \t]{0,4}\.{4,40})?[ \t]{0,40}$/);
  skip(/[*_?]{1,3}$/);
  const between = `${skip(connectors)}\n${skip(connectors)}`;
  // In English, "X to VALUE" does not name VALUE; in Polish, "to" means "is".
  const isOpen =
    opening.includes('(') || (/[\p{L}:=：]$/mu.test(between) && !/\bto$/m.test(between));
  skip(/[ \t]{0,3}\([^(\r\n]{0,40}\)$/);
  const isAssigned =
    /^ *=>?$|\d[:)]$/m.test(between) ||
    // Columns are separated by more than one space, and a name in a column has two words at most.
    (!isBelow &&
      /\t|\.| {2}/.test(gap) &&
      /[\n\t][ \t]{0,24}[\p{L}_]\S*(?: \S+)?$/u.test(`\n${before(text, at, maxName)}`)) ||
    /["']/.test(skip(/["'”’»\])*_`]{1,3}$/));
  return [at, isOpen, isBelow, isAssigned];
}

/**
 * Tells whether the value that begins here, possibly the first of several, is named by the words before it or by a line
 * not far above that is not a whole sentence.
 */
export function isBelowName(text: string, start: number): boolean {
  const lines = before(text, start, 300)
    .replace(/[\d\s#.)[\]:]{1,20}$/, '')
    .split('\n')
    .filter((line) => !/[.?!。]$/.test(line.trimEnd()));
  return isAnswer(lines.join('\n'), true);
}

/**
 * Tells whether a line not far above names a key. If other words precede the key, that line must be a short heading.
 */
function isAnswer(front: string, isBelow: boolean): boolean {
  const near = front
    .split(/\n\s*|": ?"/)
    .slice(0, isBelow ? undefined : -1)
    .filter((part) => !holdsKey.test(part) && (isBelow || part.length < 26 || part.endsWith('?')))
    .slice(-4)
    .findLast((part) => isDocument(part) || namesKey(part));
  return near !== undefined && !isDocument(near);
}

/** Tells whether the words after a value call it a code, as in "… is my license key". */
function isNamedBehind(text: string, start: number): boolean {
  const [, words = ''] =
    /^[\w–-]+(?![\w–-])[^\p{L}:.\n]{0,4}(?!for |\S*\d)(\p{L}[^.,;:!?\n]{0,40})/u.exec(
      text.slice(start, start + 99),
    ) ?? [];
  return namesKey(words);
}

const holdsKey = /^[^\d\s]{0,40}\d\S{0,40}-|\d\S{0,40}\s?$/;

/** Tells whether words name a code; other words may follow the name. */
function namesKey(words: string): boolean {
  return /code|key|number/.test(readValueName(words, true) ?? '');
}

/** Returns the name that another member of the object or element around a value states: `"label": "…"`. */
function nameBeside(text: string, start: number): string {
  const name = /(?:\b|_)(?:name|key|label|field|question|title)["']?\s?[:=]\s?["']([^"']+)/;
  return name.exec(membersAround(text, start))?.[1] ?? '';
}

/** Returns the members of the JSON object, or the attributes of the element, around a value. */
function membersAround(text: string, start: number): string {
  const end = /[{}<>]/;
  const [front = ''] = before(text, start, 300).split(end).slice(-1);
  const [behind = ''] = text.slice(start, start + 300).split(end);
  return front + behind;
}

/**
 * Tells whether a bare "id" belongs to another object: the object around it says so, it is a resource of an API, which
 * has a type, or the key is next to it.
 */
function isIdOfOthers(text: string, start: number): boolean {
  return (
    holdsOtherIds(nameAround(text, start)) ||
    /["'](?:type|key)["']/.test(membersAround(text, start))
  );
}

/** Returns the name of the JSON object or settings section around a value; `''` if none is near enough. */
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
