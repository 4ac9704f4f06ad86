import type { Undoing } from '#core/reading/reading';

/** Tags of blocks and parts of a table that follow each other, and the space around them. */
const blocks =
  /(?:(?<!\s)\s{1,99})?(?<block>(?:<\/?(?:blockquote|d[dlt]|div|footer|h[1-6r]|header|li|ol|p|pre|t(?:[dhr]|able|body|foot|head)|ul)(?=[\s/>])(?:=(?:"[^"]*"?|'[^']*'?)?|[^=>]+)*>?\s{0,99})+)/;
const lineBreak = /<(?<line>br)(?=[\s/>])[^>]*>(?:\r?\n)?/;
/** A comment, or an element whose content is not displayed. */
const unread =
  /<!--[^]*?(?:-->|$)|<(?<unread>script|style|template|noscript|iframe|svg)(?=[\s/>])[^]*?(?:<\/\k<unread>(?=[\s/>])[^>]*>?|$)/;
/** Any other tag. Its attributes may contain ">", and a lone "<" is text. */
const tag = /<(?=[a-z/!?])(?:=(?:"[^"]*"?|'[^']*'?)?|[^=>]+)*>?/;
/** An input field displays its value as text. */
const valueOfField = /^<input(?=\s)[^]*\svalue=["']?([^"'<>]+)/i;
const reference = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,21});?/;
const marks = [blocks, lineBreak, unread, tag, reference].map(({ source }) => source).join('|');

/**
 * Undoes HTML: removes tags, comments and content that is not displayed; inserts line breaks, tabs and bullets for
 * blocks, cells and list items; keeps the values of fields; and decodes character references once. Uses no DOM. Linear
 * in the text.
 * @param characterOfName resolves further character names, beyond those that matter around codes
 */
export function undoHtml(
  undoing: Undoing,
  html: string,
  characterOfName: (name: string) => string | undefined = () => undefined,
  endOfBlock = '\n',
): void {
  undoing.replaceEach(new RegExp(marks, 'gi'), ({ 0: whole, groups = {}, index }) => {
    const [, value] = valueOfField.exec(whole) ?? [];
    const by = whole.startsWith('&')
      ? characterOf(whole, characterOfName)
      : value === undefined
        ? separatorFor(groups, endOfBlock)
        : ` ${value} `;
    // If another element begins right after one, as in XML, a value ends. Formatting may change within a value.
    const joint = html.slice(index, index + whole.length + 8);
    const parts =
      by === '' &&
      /^<\/[^<]*><\w/.test(joint) &&
      !/^<\/([biu]|em|strong|font|span)><\1\b/i.test(joint);
    // A soft hyphen is invisible, but separates the output of an earlier transport.
    return by === '\u00AD' ? '' : parts ? ' ' : by;
  });
}

function separatorFor(
  { block, line }: Record<string, string | undefined>,
  endOfBlock: string,
): string {
  if (block === undefined) return line === undefined ? '' : '\n';
  if (/<li\b/i.test(block)) return '\n• ';
  // A row is one line, in which a tab is in front of each cell.
  const cells = '\t'.repeat(block.split(/<t[dh]\b/i).length - 1);
  return cells === '' || /<tr\b/i.test(block) ? endOfBlock + cells : cells;
}

/** Named characters that occur in or around codes, each with its names. */
const namedCharacters = [
  '\u00A0 nbsp|\u2002 ensp|\u2003 emsp',
  '\u2009 thinsp ThinSpace|\u200A hairsp|\u00AD shy|\u200C zwnj|\u200D zwj',
  '\u200E lrm|\u200F rlm|\u200B ZeroWidthSpace NegativeMediumSpace|\u2060 NoBreak',
  '\u2010 dash hyphen|\u2013 ndash|\u2014 mdash|\u2015 horbar|\u2212 minus|& amp AMP|< lt LT|> gt GT|" quot QUOT|\' apos',
  '\u2018 lsquo|\u2019 rsquo CloseCurlyQuote|\u201A sbquo lsquor|\u201C ldquo|',
  '\u201D rdquo CloseCurlyDoubleQuote|\u201E bdquo ldquor|\u00AB laquo|\u00BB raquo|\u2026 hellip|\u2022 bull',
  '\u0131 imath|\u00DF szlig|\u00E6 aelig|\u00F8 oslash|\u0142 lstrok',
  // An accented letter is named after the letter and the accent: `&uuml;`.
  '\u0300 -grave|\u0301 -acute|\u0302 -circ|\u0303 -tilde|\u0304 -macr|\u0306 -breve|\u0307 -dot|\u0308 -uml|\u030A -ring|\u030B -dblac|\u030C -caron|\u0327 -cedil|\u0328 -ogon',
];
/** Further named characters, which only encoders write that encode every character. */
const symbols = [
  '! excl|# num|$ dollar|% percnt|( lpar|) rpar|* ast|+ plus|, comma|. period|/ sol|: colon|; semi|= equals|? quest|@ commat',
  '[ lsqb lbrack|\\ bsol|] rsqb rbrack|^ Hat|_ lowbar|` grave|{ lcub lbrace|} rcub rbrace',
  '\t Tab|\n NewLine',
];

function charactersByName(lists: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lists.flatMap((line) =>
      line.split('|').flatMap((entry) =>
        entry
          .slice(2)
          .split(' ')
          .map((name) => [name, entry.charAt(0)] as const),
      ),
    ),
  );
}

let named: ReadonlyMap<string, string> | undefined;
let namedSymbols: ReadonlyMap<string, string> | undefined;

/**
 * Returns a symbol by its name, for use with `undoHtml` if an encoder may have written it; undefined for an unknown
 * name.
 */
export function symbolOf(name: string): string | undefined {
  return (namedSymbols ??= charactersByName(symbols)).get(name);
}

/** Returns the character of a reference; undefined for an unknown name. */
function characterOf(
  reference: string,
  characterOfName: (name: string) => string | undefined,
): string | undefined {
  const name = reference.slice(1).replace(';', '');
  if (!name.startsWith('#')) {
    // A name without a semicolon may be a parameter in a link: `?a=1&copy=2`.
    if (!reference.endsWith(';') && !/^(?:nbsp|amp|lt|gt|quot|shy)$/.test(name)) return undefined;
    const characters = (named ??= charactersByName(namedCharacters));
    const accent = characters.get(`-${name.slice(1)}`);
    const accented =
      accent === undefined ? characterOfName(name) : (name.charAt(0) + accent).normalize();
    return characters.get(name) ?? accented;
  }
  const isHex = /^#x/i.test(name);
  const point = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  const character = String.fromCodePoint(Math.min(point, 0x10_ff_ff));
  return /[\p{Cc}\p{Cs}\u{10FFFF}]/u.test(character) && !/[\t\n\r]/.test(character)
    ? '\uFFFD'
    : character;
}
