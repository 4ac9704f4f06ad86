import { readingOf, symbolOf, undoHtml, Undoing } from '#core/reading/index';

/** Named characters in descriptions of items that `undoHtml` and `symbolOf` do not know. */
const signs =
  '\u00B7 middot|\u00A9 copy|\u00AE reg|\u2122 trade|\u00B0 deg|\u00D7 times|\u00F7 divide|\u00B1 plusmn|\u00BD frac12|\u00BC frac14|\u20AC euro|\u00A3 pound|\u00A5 yen|\u00A2 cent|\u00A7 sect|\u00B6 para|\u2192 rarr|\u2190 larr|\u2713 check|\u2665 hearts|\u2606 star|\u00C6 AElig|\u00D8 Oslash|\u0153 oelig|\u00BF iquest|\u00A1 iexcl';

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
  const characterOfName = (name: string): string | undefined => {
    const sign = signs.split('|').find((entry) => entry.slice(2) === name);
    return sign?.charAt(0) ?? symbolOf(name);
  };
  undoHtml(undoing, text, characterOfName, '\n\n');
  return undoing
    .done()
    .text.replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
}
