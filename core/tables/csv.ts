/** The value of a cell. Numbers and booleans are written unquoted; `null` and `undefined` leave the cell empty. */
export type Cell = string | number | boolean | null | undefined;

/**
 * Writes rows as CSV text (RFC 4180: CRLF, a quote doubled, quotes where they are needed).
 *
 * Puts a `'` before each text that a spreadsheet could read as a formula, whether it separates cells at `,`, `;` or
 * tabs, and even if it ignores quotes. Does not write a byte order mark: add {@link byteOrderMark} to a file for Excel.
 */
export function writeCsv(rows: Iterable<readonly Cell[]>): string {
  let text = '';
  for (const row of rows) text += `${row.map((cell) => writeCell(cell)).join(',')}\r\n`;
  return text;
}

/** Tells Excel, at the beginning of a CSV file, that the text is UTF-8. */
export const byteOrderMark = '\uFEFF';

/** Writes one cell as {@link writeCsv} does, quoting it also if it contains `delimiter`. */
export function writeCell(cell: Cell, delimiter = ','): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = (firstFormula.test(cell) ? "'" : '') + cell.replaceAll(laterFormula, "$&'");
  return /["\r\n,;\t]/u.test(safe) || safe.includes(delimiter) || safe.trim() !== safe
    ? inQuotes(safe)
    : safe;
}

export function inQuotes(text = ''): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Matches a character that a spreadsheet may skip before a formula: a space, an invisible character or a quote. */
const passedOver = String.raw`["\s\p{C}\p{Default_Ignorable_Code_Point}]`;
const sign = '[=+\\-@＝＋－＠]';

/**
 * A separator that a lenient reader may take for the end of a cell, before a formula. The search stops at the next tab
 * or line break, so that it stays linear.
 */
const laterFormula = new RegExp(`[,;\\t\\r\\n](?=(?:(?![\\t\\r\\n])${passedOver})*${sign})`, 'gu');
/** A tab, a line break, or one of `= + - @` or their full-width forms, after characters that a spreadsheet may skip. */
const firstFormula = new RegExp(`^(?:[\\t\\r\\n]|${passedOver}*${sign})`, 'u');
