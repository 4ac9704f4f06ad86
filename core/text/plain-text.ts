import { readingOf, symbolOf, undoHtml, Undoing } from '#core/reading/index';

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
  undoHtml(undoing, text, symbolOf);
  return undoing
    .done()
    .text.replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
}
