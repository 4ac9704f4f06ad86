/** The share of a page's text that must be in tables, so that little text outside them is ignored. */
const minShare = 0.8;

/** Tells cheaply whether a text may be HTML: it begins with a tag. */
export function mayBeHtml(sample: string): boolean {
  return /^\s*<(?:!|\?xml|html|head|meta|style|body|div|table)/iu.test(sample);
}

/**
 * Returns the rows of an HTML table as CSV, since many programs export HTML with a workbook's file name. Undefined for
 * any other text.
 */
export function csvOfHtml(text: string): string | undefined {
  const { body } = new DOMParser().parseFromString(text, 'text/html');
  for (const unseen of body.querySelectorAll('script, style')) unseen.remove();
  const rows = [...body.querySelectorAll('tr')].filter(
    (row) => row.querySelector('table') === null,
  );
  const length = rows.reduce((sum, row) => sum + lengthOf(row), 0);
  if (rows.length === 0 || length < minShare * lengthOf(body)) return undefined;
  let table: Element | null = null;
  let spanned: number[] = [];
  return rows
    .map((row) => {
      const own = row.closest('table');
      if (own !== table) spanned = [];
      table = own;
      return `${writeRow(row, spanned).join(',')}\r\n`;
    })
    .join('');
}

function lengthOf({ textContent }: Element): number {
  return textContent.replaceAll(/\s/gu, '').length;
}

/**
 * Returns the cells of a row, with empty ones for columns that a cell also spans, and for cells that extend from a row
 * above.
 * @param spanned for each column, how many more rows its cell extends into; updated by this function
 */
function writeRow({ cells }: HTMLTableRowElement, spanned: number[]): string[] {
  const values: string[] = [];
  function skipSpanned(): void {
    let rest = spanned[values.length] ?? 0;
    while (rest > 0) {
      spanned[values.length] = rest - 1;
      values.push('');
      rest = spanned[values.length] ?? 0;
    }
  }
  for (const { textContent, colSpan, rowSpan } of cells) {
    skipSpanned();
    const value = textContent.trim().replaceAll(/\s+/gu, ' ').replaceAll('"', '""');
    for (let column = 0; column < Math.min(colSpan, 100); column += 1) {
      // A row span of zero extends to the end of the table.
      spanned[values.length] = rowSpan === 0 ? Infinity : rowSpan - 1;
      values.push(column === 0 ? `"${value}"` : '');
    }
  }
  skipSpanned();
  return values;
}
