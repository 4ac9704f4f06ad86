/** How much of a page's text must stand in tables, so that nothing beside them is left unread. */
const minShare = 0.8;

/** Tells cheaply whether a text may be a page: it begins with a tag. */
export function mayBeHtml(sample: string): boolean {
  return /^\s*<(?:!|\?xml|html|head|meta|style|body|div|table)/iu.test(sample);
}

/**
 * Returns the rows of an HTML table as CSV: many programs export one under the name of a workbook. Undefined for any other text.
 */
export function csvOfHtml(text: string): string | undefined {
  const { body } = new DOMParser().parseFromString(text, 'text/html');
  for (const unseen of body.querySelectorAll('script, style')) unseen.remove();
  const rows = [...body.querySelectorAll('tr')].filter(
    (row) => row.querySelector('table') === null,
  );
  const length = rows.reduce((sum, row) => sum + lengthOf(row), 0);
  if (rows.length === 0 || length < minShare * lengthOf(body)) return undefined;
  return rows.map((row) => `${[...row.cells].flatMap(writeCells).join(',')}\r\n`).join('');
}

function lengthOf({ textContent }: Element): number {
  return textContent.replaceAll(/\s/gu, '').length;
}

/** Writes a cell, and empty ones for the further columns that it spans. */
function writeCells({ textContent, colSpan }: HTMLTableCellElement): string[] {
  const value = textContent.trim().replaceAll(/\s+/gu, ' ').replaceAll('"', '""');
  return [`"${value}"`, ...Array.from({ length: Math.min(colSpan, 100) - 1 }, () => '')];
}
