/** What a cell may hold. Numbers and booleans are written bare; `null` and `undefined` leave the cell empty. */
export type Cell = string | number | boolean | null | undefined;

/**
 * Rows as CSV text (RFC 4180: CRLF, a quote doubled, quotes where they are needed).
 *
 * Safe to open in a spreadsheet: text that one would take for a formula gets a `'` before it, whether it parts cells at the
 * comma, at `;` or at a tab.
 * No byte order mark; {@link byteOrderMark} is for files that Excel is to open.
 */
export function writeCsv(rows: Iterable<readonly Cell[]>): string {
  let text = '';
  for (const row of rows) text += `${row.map(writeCell).join(',')}\r\n`;
  return text;
}

/** Put before a CSV file, it tells Excel that the text is UTF-8. */
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
 * In many countries spreadsheets part cells at `;`, and heed no quote in the middle of one: to them a cell, or a row, begins
 * inside our quotes. The run of spaces ends at the next tab or line break, which keeps the search linear.
 */
const laterFormula = /[;\t\r\n](?=(?:(?![\t\r\n])[\s\p{Cf}\p{Cc}])*[=+\-@＝＋－＠])/gu;

/**
 * Whether a spreadsheet may read the text as a formula: `= + - @` or their full-width forms, after any spaces and
 * characters that are not drawn, or a tab or line break at the very start.
 */
export function startsFormula(text: string): boolean {
  return /^(?:[\t\r\n]|[\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠])/u.test(text);
}
