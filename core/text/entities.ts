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
export function decodeEntities(text: string): string {
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
