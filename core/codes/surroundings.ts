import { tableCells } from '#core/codes/table-headings';
import { holdsOtherIds, readValueName, type ValueName } from '#core/codes/value-names';
import { indexUpTo } from '#core/reading/index';

const address =
  /(?:[a-z][a-z\d+.-]{1,20}:\/\/|www\.|\b(?:arn|urn|cid|xmp\.[a-z]id):)[^\s<>"'\u3000-\u303F\uFF00-\uFFEF]+/gi;
/** After a number and a colon it names an account's key, and in the path of an interface an id. */
const namesACode =
  /(?<!\d:)(?:purchase|code|licen[cs]e|key|serial|activat)[^\s/?&#=]{0,24}(?:=|(?<!\/v\d\/\S{0,99}s)\/)$/i;
/** A path separator after another one or after a drive; a lone slash may also stand between a label and its value. */
const inPath = /(?:[\\/][^\s\\/"'<>]*[\\/]|\\)\{?$/;
/**
 * After the `@` of an id, on the boundary between the parts of a mail, in a header that holds secrets, or in a boot loader's disk
 * search.
 */
const inHeader =
  /\w@$|=_$|(?:^|[\r\n])--$|(?:(?:cookie|authorization)\s?:|--fs-uuid|--set=)[^\r\n"'<>]*$/i;
const maxBefore = 400;
const goesOnAsFile =
  /^>\s\/\w|^\.(?:png|jpe?g|gif|webp|svg|pdf|zip|rar|txt|log|mp[34]|mov|webm|csv|json|xml|html?|eml|lic|tmp|dmp|bak|dat|exe|dll|ini)(?![a-z\d])/i;

/** Judges a piece of a reading by its surroundings. */
export class Surroundings {
  readonly #text: string;
  /** The links of the text, from left to right, two numbers each. */
  readonly #links: number[] = [];
  readonly #cellAt: ReturnType<typeof tableCells>;

  constructor(text: string) {
    this.#text = text;
    this.#cellAt = tableCells(text);
    for (const { 0: found, index } of text.matchAll(address))
      this.#links.push(index, index + found.length);
  }

  /** Tells whether a code may begin here, outside any longer run. More than eight dashes in a row are a ruled line. */
  beginsAt(start: number): boolean {
    return !/[a-z\d][-_]{0,8}$/i.test(this.#text.slice(Math.max(0, start - 9), start));
  }

  endsAt(end: number): boolean {
    return !/^[-_]?[a-z\d]/i.test(this.#text.slice(end, end + 2));
  }

  /**
   * Tells whether a stretch is a mail address, a file's name, a GUID as Windows writes it, or part of a header or of a link that
   * does not call it a code.
   */
  isElsewhere(start: number, end: number): boolean {
    const text = this.#text;
    const before = text.slice(Math.max(0, start - maxBefore), start);
    if (this.#isInLink(start) || inPath.test(before)) return !namesACode.test(before);
    const isGuid =
      /^\{[^a-z]+\}$/.test(text.slice(start - 1, end + 1)) &&
      (this.nameOf(start) !== 'code' || /productcode\W*$/i.test(before));
    return (
      inHeader.test(before) ||
      isGuid ||
      // Textile writes program code between two of them.
      (text[end] === '@' && text[start - 1] !== '@') ||
      goesOnAsFile.test(text.slice(end, end + 8))
    );
  }

  /**
   * Tells whether the label here, or the name of the object around it, names something other than a code. A link has labels of
   * its own.
   */
  isNamedOtherwise(start: number): boolean {
    if (this.#isInLink(start)) return false;
    const name = this.nameOf(start);
    return name === 'other' || (name === 'id' && isIdOfOthers(this.#text, start));
  }

  /** Tells what the heading of its column, or else the label in front of it, says of a value. */
  nameOf(start: number): ValueName | undefined {
    const cell = this.#cellAt(start);
    if (cell === undefined) return nameBefore(this.#text, start);
    const name = readValueName(cell.heading, false) ?? nameBefore(cell.row, cell.at);
    return name === 'id' ? 'other' : name;
  }

  #isInLink(index: number): boolean {
    return indexUpTo(this.#links, index) % 2 === 0;
  }

  /**
   * Tells whether words with gaps between them are part of a longer row, as in lists, dumps of memory and fingerprints.
   * @param ofAnything whether anything else on the line makes it a row, except the marks of a list or a quotation
   */
  isRow(start: number, end: number, ofAnything = false): boolean {
    const head = this.#text.slice(Math.max(0, start - 300), start).split('\n');
    const [rest = '', below = ''] = this.#text.slice(end, end + 300).split('\n', 2);
    const line = head.at(-1) ?? '';
    if (ofAnything) return /[^\s>*-]/.test(line + rest);
    return (
      /(?:(?<![a-z\d])(?:0x)?[\da-f]{4,}:?|:[\da-f]{2}|(?<![a-z\d])(?=[a-z]*\d)[a-z\d]{4,}\s{0,8}[-–])\s{1,8}$/i.test(
        line,
      ) ||
      /^\s{1,8}(?:[\da-f]{4,}(?![a-z\d])|[-–]\s{0,8}(?:(?=[a-z]*\d)[a-z\d]{4,}|$))/i.test(rest) ||
      endsAsRow.test(head.at(-2) ?? '') ||
      beginsAsRow.test(below)
    );
  }
}

const beginsAsRow = /^\W{0,8}(?:[\da-f]{4,16}[:\s]\s{0,4}){2,}[\da-f]{4,16}(?![a-z\d])/i;
const endsAsRow = /(?<![a-z\d])(?:[\da-f]{4,16}[:\s]\s{0,4}){2,32}[\da-f]{4,16}\W{0,8}$/i;

/** Words and characters between a label and its value, as in "code is:". */
const connectors =
  /(?:(?<![\p{L}\p{N}])(?:ist?|was|lautet|er|är|on|j?este?|es|è|é|to|это)|[は是为為]|=>|-{1,2}>|[>|]?-{1,2}|–|\|\||[:=#：→|]|";s:\d{1,3}:|=>\s{1,9}string\(\d{1,3}\))$/iu;
/** Reports align their values with spaces. */
const spaces = /[ \t]{0,24}$/;
const maxName = 80;

/**
 * Tells what the name in front of a value says of it: on its line or above, behind quotation marks, an aside in parentheses and
 * words such as "is", or as the tag around it. Other words may stand between the name and a colon.
 */
function nameBefore(text: string, start: number): ValueName | undefined {
  let at = start;
  const before = (): string => text.slice(Math.max(0, at - maxName), at);
  const skip = (pattern: RegExp): string => {
    const [found = ''] = pattern.exec(before()) ?? [];
    at -= found.length;
    return found;
  };
  // Programs show a value as `Some("…")` or `UUID('…')`.
  skip(/(?:(?<=[:=] ?)\w{1,12}\()?["'“‘«„「『【<([{*_`]{1,3}$/);
  // A mark of a list.
  skip(/(?<=[\r\n][ \t]{0,12})(?:\d{1,2}[.)]|[*•·-])[ \t]{1,4}$/);
  // Quoted-printable ends a continued line with `=`.
  const lineEnds = skip(/(?:=?[ \t]{0,8}(?:\r\n|[\r\n])[ \t]{0,12}){1,9}$/);
  skip(spaces);
  skip(/[*_]{1,3}$/);
  let [hasColon, isAssigned] = [false, false];
  for (let count = 0; count < 2; count += 1) {
    const connector = skip(connectors);
    if (connector === '') break;
    hasColon ||= /[:=：]$|lautet$/.test(connector);
    isAssigned ||= /^=>?$/.test(connector);
    skip(spaces);
  }
  skip(/[ \t]{0,3}\([^(\r\n]{0,40}\)$/);
  const [, tag] = /<(\w[\w:-]{0,40})(?:\s[^<>]{0,40})?>$/.exec(before()) ?? [];
  if (tag !== undefined) {
    const says = readValueName(tag, false);
    return says === 'bare-code' ? undefined : says;
  }
  isAssigned ||= /["']/.test(skip(/["'”’»\])*_`]{1,3}$/));
  // A line may end between the words of a name.
  const [above = '', name = ''] =
    before()
      .split(/[:=：;!?]|\.\s/)
      .at(-1)
      ?.split(/\r?\n/)
      .slice(-2) ?? [];
  const [own, whole] = name === '' ? [above, above] : [name, `${above} ${name}`];
  if (isAssigned && holdsOtherIds(own)) return 'other';
  const ownSays = readValueName(own, hasColon);
  const isClear = ownSays !== undefined && !ownSays.startsWith('bare');
  const says = isClear ? ownSays : (readValueName(whole, false) ?? ownSays);
  // The end of a sentence above is no heading.
  if (says === 'other' && lineEnds !== '' && own.length > 30) return undefined;
  // Databases name the type of a value in front of it: `"licenseKey": {"stringValue": "…"}`.
  if (/^\W*(?:s|stringValue)$/i.test(own)) return readValueName(nameAround(text, start), false);
  // A heading, the name of a product and its key stand below each other.
  if (says === undefined && lineEnds !== '' && readValueName(above, false) === 'code')
    return 'bare-key';
  return says === 'bare-code' && !hasColon ? undefined : says;
}

/**
 * Tells whether what is only called an id is that of something else: by the object around it, as a resource of an interface,
 * which has a type, or beside its key.
 */
function isIdOfOthers(text: string, start: number): boolean {
  const [before = ''] = text
    .slice(Math.max(0, start - 80), start)
    .split(/[{}]/)
    .slice(-1);
  const [behind = ''] = text.slice(start, start + 400).split(/[{}]/, 1);
  return (
    holdsOtherIds(nameAround(text, start)) ||
    /["'](?:type|(?:license_)?key["']\s{0,4}:\s{0,4}["'][\w-]{8})/.test(before + behind)
  );
}

const maxAround = 1000;

/** Returns the name of the JSON object or settings section that a value is in; `''` if there is none near enough. */
function nameAround(text: string, start: number): string {
  let depth = 0;
  for (let at = start - 1; at > Math.max(0, start - maxAround); at -= 1) {
    const sign = text[at];
    if (sign === '}' || sign === ']') depth += 1;
    else if (sign === '{' || sign === '[') depth -= 1;
    if (depth < 0)
      return (
        /["'](\w{1,60})["']\s{0,4}:\s{0,8}$/.exec(text.slice(Math.max(0, at - 80), at))?.[1] ?? ''
      );
  }
  const lines = text.slice(Math.max(0, start - maxAround), start).split('\n');
  const indent = lines.pop()?.search(/\S/) ?? 0;
  const isAround = (line: string): boolean =>
    /^\[.*\]\s*$/.test(line) || (/^\s*[\w-]+:\s*$/.test(line) && line.search(/\S/) < indent);
  return lines.findLast(isAround) ?? '';
}
