/** In UTF-16 units; a longer description is cut. */
const maxLength = 200_000;

/**
 * Converts a description that may hold HTML to text: without tags, with blank lines between blocks, bullets before list items, and
 * entities decoded once. Show the result as text only: `&lt;script&gt;` becomes `<script>`.
 *
 * Uses no DOM. Linear in the text; reads at most 200,000 UTF-16 units.
 *
 * @example plainText('<p>PDF &amp; UBL</p>') // 'PDF & UBL'
 */
export function plainText(html: string): string {
  return decodeEntities(stripTags(html.slice(0, maxLength)))
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
}

const blocks = new Set(
  'address article aside blockquote dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);
/** Elements whose content is not shown. */
const unread = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg']);
const maxTagName = 16;

/**
 * Removes the tags and comments of HTML and puts line breaks, tabs and bullets where blocks, cells and list items begin. Leaves
 * entities unchanged. Linear in the text.
 */
export function stripTags(html: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    parts.push(html.slice(at, open));
    const end = endOfTag(html, open);
    if (end === undefined) {
      // Browsers read a lone "<" as text.
      parts.push('<');
      at = open + 1;
      continue;
    }
    const isClosing = html.charAt(open + 1) === '/';
    const name = tagNameAt(html, open + (isClosing ? 2 : 1));
    at = !isClosing && unread.has(name) ? endOfElement(html, end, name) : end;
    parts.push(separatorFor(name, isClosing));
  }
  parts.push(html.slice(at));
  return parts.join('');
}

function separatorFor(name: string, isClosing: boolean): string {
  if (name === 'li') return isClosing ? '' : '\n• ';
  if (name === 'br' || name === 'tr') return '\n';
  if (name === 'td' || name === 'th') return '\t';
  return blocks.has(name) ? '\n\n' : '';
}

/** Returns the index after a tag, comment or declaration that begins at `open`; undefined for a "<" that begins none. */
function endOfTag(html: string, open: number): number | undefined {
  if (html.startsWith('<!--', open)) return after(html, '-->', open + 4);
  const next = html.charAt(open + 1);
  if (!isLetter(next) && next !== '/' && next !== '!' && next !== '?') return undefined;
  let quote = '';
  for (let at = open + 1; at < html.length; at += 1) {
    const sign = html.charAt(at);
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '>') return at + 1;
    else if ((sign === '"' || sign === "'") && html.charAt(at - 1) === '=') quote = sign;
  }
  return html.length;
}

/** Returns the index after the first closing tag of that name; the end of the text where there is none. */
function endOfElement(html: string, from: number, name: string): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    if (tagNameAt(html, at + 2) === name) return after(html, '>', at + 2 + name.length);
  }
  return html.length;
}

/** Returns the index after the next `wanted`; the end of the text where there is none. */
function after(html: string, wanted: string, from: number): number {
  const at = html.indexOf(wanted, from);
  return at < 0 ? html.length : at + wanted.length;
}

/** Returns the tag name at `start` in lower case; `''` where there is none of at most 16 letters and digits. */
function tagNameAt(html: string, start: number): string {
  let end = start;
  while (end - start <= maxTagName && isNamePart(html.charAt(end))) end += 1;
  const next = html.charAt(end);
  const isWhole = next === '' || next === '>' || next === '/' || next.trim() === '';
  return isWhole ? html.slice(start, end).toLowerCase() : '';
}

function isNamePart(sign: string): boolean {
  return isLetter(sign) || (sign >= '0' && sign <= '9');
}

function isLetter(sign: string): boolean {
  return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z');
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  shy: '',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  deg: '°',
  times: '×',
  divide: '÷',
  plusmn: '±',
  frac12: '½',
  frac14: '¼',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  sect: '§',
  para: '¶',
  rarr: '→',
  larr: '←',
  uarr: '↑',
  darr: '↓',
  check: '✓',
  hearts: '♥',
  star: '☆',
  szlig: 'ß',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  eacute: 'é',
  egrave: 'è',
  ecirc: 'ê',
  agrave: 'à',
  aacute: 'á',
  acirc: 'â',
  ccedil: 'ç',
  ntilde: 'ñ',
  oacute: 'ó',
  iacute: 'í',
  uacute: 'ú',
  aring: 'å',
  oslash: 'ø',
  aelig: 'æ',
};

/**
 * Decodes HTML entities once: `&amp;lt;` becomes `&lt;`. Leaves unknown entities unchanged; replaces control characters by U+FFFD,
 * tabs and line breaks by a space. Linear in the text: an entity has at most 14 characters.
 */
function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,11}));?/gu,
    (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      const isText = point > 31 && point <= 0x10_ff_ff && !(point >= 0xd8_00 && point <= 0xdf_ff);
      if (isText && !(point >= 0x7f && point < 0xa0)) return String.fromCodePoint(point);
      return point === 9 || point === 10 ? ' ' : '\uFFFD';
    },
  );
}
