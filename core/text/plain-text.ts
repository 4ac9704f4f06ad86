/** Longer descriptions are cut: they are for reading, not for keeping. In UTF-16 units. */
const longest = 200_000;

/**
 * The text of a description that may hold HTML: tags and comments left out, what separates blocks a line break, list points
 * marked, entities decoded once. The result is text and is only ever shown as text: what was written as `&lt;script&gt;` reads as
 * `<script>`.
 *
 * No DOM is needed and none is made. Linear in the length of the text.
 */
export function plainText(html: string): string {
  const source = html.slice(0, longest);
  const parts: string[] = [];
  let at = 0;
  while (at < source.length) {
    const open = source.indexOf('<', at);
    if (open < 0) break;
    parts.push(source.slice(at, open));
    const end = endOfTag(source, open);
    if (end === undefined) {
      // A lone "<" is text, as browsers read it.
      parts.push('<');
      at = open + 1;
      continue;
    }
    const name = /^<(\/?)([a-z][a-z\d]*)/iu.exec(source.slice(open, open + 24));
    const [, slash = '', tag = ''] = name ?? [];
    at = end;
    const lower = tag.toLowerCase();
    if (slash === '' && unread.has(lower)) at = afterClosing(source, end, lower);
    else if (lower === 'li' && slash === '') parts.push('\n• ');
    else if (lower === 'br' || lower === 'tr') parts.push('\n');
    else if (blocks.has(lower)) parts.push('\n\n');
    else if (lower === 'td' || lower === 'th') parts.push('\t');
  }
  parts.push(source.slice(at));
  return decodeEntities(parts.join(''))
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
/** Their content is no text for people. */
const unread = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg']);

/** The index after a tag, comment or declaration that begins at `open`; undefined for a "<" that begins none. */
function endOfTag(source: string, open: number): number | undefined {
  if (source.startsWith('<!--', open)) {
    const end = source.indexOf('-->', open + 4);
    return end < 0 ? source.length : end + 3;
  }
  if (!/[a-z/!?]/iu.test(source.charAt(open + 1))) return undefined;
  let quote = '';
  for (let at = open + 1; at < source.length; at += 1) {
    const sign = source.charAt(at);
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '>') return at + 1;
    else if ((sign === '"' || sign === "'") && source.charAt(at - 1) === '=') quote = sign;
  }
  return source.length;
}

function afterClosing(source: string, from: number, tag: string): number {
  const closing = new RegExp(`</${tag}[^>]*>`, 'giu');
  closing.lastIndex = from;
  return closing.test(source) ? closing.lastIndex : source.length;
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

/** Once only: `&amp;lt;` reads as `&lt;`. An entity nobody knows stays as it was written. */
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
