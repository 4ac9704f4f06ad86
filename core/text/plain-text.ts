import { readingOf, symbolOf, undoHtml, Undoing } from '#core/reading/index';

/** Named character references that descriptions of items use, beyond those that `undoHtml` reads itself. */
const namedCharacters: Readonly<Record<string, string>> = {
  middot: '\u00B7',
  copy: '\u00A9',
  reg: '\u00AE',
  trade: '\u2122',
  deg: '\u00B0',
  times: '\u00D7',
  divide: '\u00F7',
  plusmn: '\u00B1',
  frac12: '\u00BD',
  frac14: '\u00BC',
  euro: '\u20AC',
  pound: '\u00A3',
  yen: '\u00A5',
  cent: '\u00A2',
  sect: '\u00A7',
  para: '\u00B6',
  rarr: '\u2192',
  larr: '\u2190',
  check: '\u2713',
  hearts: '\u2665',
  star: '\u2606',
  AElig: '\u00C6',
  Oslash: '\u00D8',
  oelig: '\u0153',
  iquest: '\u00BF',
  iexcl: '\u00A1',
};

/** In UTF-16 units; a longer description is cut. */
const maxLength = 200_000;

/**
 * Converts a description that may hold HTML to text: without tags, with blank lines between blocks, bullets before list
 * items, and entities decoded once. Show the result as text only: `&lt;script&gt;` becomes `<script>`.
 *
 * Uses no DOM. Linear in the text; reads at most 200,000 UTF-16 units.
 *
 * @example plainText('<p>PDF &amp; UBL</p>') // 'PDF & UBL'
 */
export function plainText(html: string): string {
  const text = html.slice(0, maxLength);
  const undoing = new Undoing(readingOf(text));
  undoHtml(text, undoing, (name) =>
    Object.hasOwn(namedCharacters, name) ? namedCharacters[name] : symbolOf(name),
  );
  return undoing
    .done()
    .text.replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
}
