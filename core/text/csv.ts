/** What a cell may hold. Numbers and booleans are written bare; `null` and `undefined` leave the cell empty. */
export type Cell = string | number | boolean | null | undefined;

/**
 * Writes rows as CSV text (RFC 4180: CRLF, a quote doubled, quotes where they are needed).
 *
 * Puts a `'` before each text that a spreadsheet would take for a formula, whether it parts cells at the comma, at `;` or at a
 * tab, and whether or not it heeds quotes. Writes no byte order mark: add {@link byteOrderMark} to a file for Excel.
 */
export function writeCsv(rows: Iterable<readonly Cell[]>): string {
  let text = '';
  for (const row of rows) text += `${row.map(writeCell).join(',')}\r\n`;
  return text;
}

/** Tells Excel, at the beginning of a CSV file, that the text is UTF-8. */
export const byteOrderMark = '\uFEFF';

function writeCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = (startsFormula(cell) ? "'" : '') + cell.replaceAll(laterFormula, "$&'");
  return /["\r\n,;\t]/u.test(safe) || safe.trim() !== safe
    ? `"${safe.replaceAll('"', '""')}"`
    : safe;
}

/**
 * What may stand before a sign and leave a formula one: spaces, characters that are not drawn, and quotes, which a lenient
 * reader drops.
 */
const passedOver = String.raw`["\s\p{C}\p{Default_Ignorable_Code_Point}]`;
const sign = '[=+\\-@＝＋－＠]';

/**
 * A separator inside a text that a lenient reader takes for the end of a cell: many spreadsheets part cells at `;`, and some
 * heed no quote in the middle of a cell. A search stops at the next tab or line break, which keeps all of them linear.
 */
const laterFormula = new RegExp(`[,;\\t\\r\\n](?=(?:(?![\\t\\r\\n])${passedOver})*${sign})`, 'gu');
const firstFormula = new RegExp(`^(?:[\\t\\r\\n]|${passedOver}*${sign})`, 'u');

/**
 * Tells whether a spreadsheet may read the text as a formula: `= + - @` or their full-width forms, after any quotes, spaces
 * and characters that are not drawn, or a tab or line break at the very start.
 */
export function startsFormula(text: string): boolean {
  return firstFormula.test(text);
}
