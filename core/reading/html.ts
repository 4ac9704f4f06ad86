import type { Undoing } from '#core/reading/reading';

/**
 * Undoes HTML: removes tags, comments and what is not shown, puts line breaks, tabs and bullets where blocks, cells and list
 * items begin, and decodes the references of characters once. Uses no DOM. Linear in the text.
 * @param signOfName knows the names of more signs than those that matter around codes
 */
export function undoHtml(
  html: string,
  undoing: Undoing,
  signOfName: (name: string) => string | undefined = () => undefined,
): void {
  const tagOrReference = new RegExp(
    `${partOfTable.source}|<|&(?:#\\d{1,7}|#[xX][\\dA-Fa-f]{1,6}|[A-Za-z][A-Za-z\\d]{1,21});?`,
    'gi',
  );
  for (let found = tagOrReference.exec(html); found !== null; found = tagOrReference.exec(html)) {
    const { 0: whole, 1: part, index } = found;
    if (part !== undefined) {
      const by = /t[dh]$/i.test(part) ? '\t' : part.toLowerCase() === 'tr' ? '\n' : '';
      undoing.replace(index, index + whole.length, by);
      continue;
    }
    if (whole !== '<') {
      const sign = signOf(whole, signOfName);
      // A soft hyphen is not drawn, and parts what a transport wrote before.
      const drawn = sign === '\u00AD' ? '' : sign;
      if (drawn !== undefined) undoing.replace(index, index + whole.length, drawn);
      continue;
    }
    const end = endOfTag(html, index);
    // Browsers read a lone "<" as text.
    if (end === undefined) continue;
    const isClosing = html.charAt(index + 1) === '/';
    const name = tagNameAt(html, index + (isClosing ? 2 : 1));
    const to =
      !isClosing && unread.has(name)
        ? endOfElement(html, end, name)
        : end + (name === 'br' ? (/^\r?\n/.exec(html.slice(end, end + 2))?.[0].length ?? 0) : 0);
    // Where another element begins right behind one, as in XML, a value ends.
    const parts =
      isClosing &&
      /<\w/.test(html.slice(to, to + 2)) &&
      !html.startsWith(html.slice(index + 2, to - 1), to + 1);
    undoing.replace(index, to, separatorFor(name, isClosing) || (parts ? ' ' : ''));
    tagOrReference.lastIndex = to;
  }
}

/** A tag of a cell, a row or a group of them, with the blocks and line ends around it, so that a row stays one line. */
const partOfTable =
  /(?:(?<!\s)\s{1,99})?(?:<\/(?:p|div)>\s{0,99})?<(\/?t(?:[dhr]|head|body|foot))(?:\s[^>]{0,999})?>\s{0,99}(?:<(?:p|div)(?:\s[^>]{0,999})?>\s{0,99})?/;

const blocks = new Set(
  'address article aside blockquote dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);
/** Elements whose content is not shown. */
const unread = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg']);
const maxTagName = 16;

function separatorFor(name: string, isClosing: boolean): string {
  if (name === 'li') return isClosing ? '' : '\n• ';
  if (name === 'br') return '\n';
  return blocks.has(name) ? '\n\n' : '';
}

/** Returns the index after a tag, comment or declaration that begins at `open`; undefined for a "<" that begins none. */
function endOfTag(html: string, open: number): number | undefined {
  if (html.startsWith('<!--', open)) return after(html, '-->', open + 4);
  if (!/[a-z/!?]/i.test(html.charAt(open + 1))) return undefined;
  const part = /["'>]/g;
  part.lastIndex = open + 1;
  for (let found = part.exec(html); found !== null; found = part.exec(html)) {
    const [sign] = found;
    if (sign === '>') return part.lastIndex;
    if (html.charAt(found.index - 1) === '=') part.lastIndex = after(html, sign, part.lastIndex);
  }
  return html.length;
}

/** Returns the index after the first closing tag of that name; the end of the text where there is none. */
function endOfElement(html: string, from: number, name: string): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2))
    if (tagNameAt(html, at + 2) === name) return after(html, '>', at + 2 + name.length);
  return html.length;
}

/** Returns the index after the next `wanted`; the end of the text where there is none. */
function after(html: string, wanted: string, from: number): number {
  const at = html.indexOf(wanted, from);
  return at < 0 ? html.length : at + wanted.length;
}

/** Returns the tag name at `start` in lower case; `''` where there is none of at most 16 letters and digits. */
function tagNameAt(html: string, start: number): string {
  const [name = ''] =
    /^[a-z\d]{1,16}(?=[\s/>]|$)/i.exec(html.slice(start, start + maxTagName + 1)) ?? [];
  return name.toLowerCase();
}

/** Signs that have names and stand in or around codes, each with its names. */
const signs = [
  '\u00A0 nbsp|\u2002 ensp|\u2003 emsp|\u2004 emsp13|\u2005 emsp14|\u2007 numsp|\u2008 puncsp',
  '\u2009 thinsp ThinSpace|\u200A hairsp|\u205F MediumSpace|\t Tab|\n NewLine|\u00AD shy|\u200C zwnj|\u200D zwj',
  '\u200E lrm|\u200F rlm|\u200B ZeroWidthSpace NegativeMediumSpace|\u2060 NoBreak|\u2061 af|\u2062 InvisibleTimes|\u2063 ic',
  '\u2010 dash hyphen|\u2013 ndash|\u2014 mdash|\u2015 horbar|\u2043 hybull|\u2212 minus|& amp AMP|< lt LT|> gt GT|" quot QUOT|\' apos',
  '! excl|# num|$ dollar|% percnt|( lpar|) rpar|* ast|+ plus|, comma|. period|/ sol|: colon|; semi|= equals|? quest|@ commat',
  '[ lsqb lbrack|\\ bsol|] rsqb rbrack|^ Hat|_ lowbar|` grave DiacriticalGrave|{ lcub lbrace|} rcub rbrace',
  '\u2018 lsquo|\u2019 rsquo CloseCurlyQuote|\u201A sbquo lsquor|\u201C ldquo|',
  '\u201D rdquo CloseCurlyDoubleQuote|\u201E bdquo ldquor|\u00AB laquo|\u00BB raquo|\u2026 hellip|\u2022 bull',
  '\u0131 imath|\u00DF szlig|\u00E6 aelig|\u00F8 oslash|\u0142 lstrok',
  // Letters with an accent are named after both: `&uuml;`.
  '\u0300 -grave|\u0301 -acute|\u0302 -circ|\u0303 -tilde|\u0304 -macr|\u0306 -breve|\u0307 -dot|\u0308 -uml|\u030A -ring|\u030B -dblac|\u030C -caron|\u0327 -cedil|\u0328 -ogon',
];
/** The Cyrillic letters in the order of Unicode, as their names begin: `&SHCHcy;`. */
const cyrillic = 'A B V G D IE ZH Z I J K L M N O P R S T U F KH TS CH SH SHCH HARD Y SOFT E YU YA';

let named: ReadonlyMap<string, string> | undefined;

function signsByName(): ReadonlyMap<string, string> {
  named ??= new Map([
    ...signs.flatMap((line) =>
      line.split('|').flatMap((entry) =>
        entry
          .slice(2)
          .split(' ')
          .map((name) => [name, entry.charAt(0)] as const),
      ),
    ),
    ...cyrillic
      .split(' ')
      .flatMap((name, at) => [
        [`${name}cy`, String.fromCharCode(0x410 + at)] as const,
        [`${name.toLowerCase()}cy`, String.fromCharCode(0x430 + at)] as const,
      ]),
  ]);
  return named;
}

/** Returns the sign that a reference stands for; undefined for a name that is not known. */
function signOf(
  reference: string,
  signOfName: (name: string) => string | undefined,
): string | undefined {
  const name = reference.slice(1).replace(';', '');
  if (!name.startsWith('#')) {
    // A name that is not closed by a semicolon may be a parameter in a link: `?a=1&copy=2`.
    if (!reference.endsWith(';') && !/^(?:nbsp|amp|lt|gt|quot|shy)$/.test(name)) return undefined;
    const accent = signsByName().get(`-${name.slice(1)}`);
    const accented =
      accent === undefined ? signOfName(name) : (name.charAt(0) + accent).normalize();
    return signsByName().get(name) ?? accented;
  }
  const isHex = /^#x/i.test(name);
  const point = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  const sign = String.fromCodePoint(Math.min(point, 0x10_ff_ff));
  return /[\p{Cc}\p{Cs}\u{10FFFF}]/u.test(sign) && !/[\t\n\r]/.test(sign) ? '\uFFFD' : sign;
}
