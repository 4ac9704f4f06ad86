import { indexUpTo } from '#core/reading/index';

/** A value's cell in a table. */
export interface TableCell {
  readonly heading: string;
  readonly row: string;
  /** Where the value begins in its row. */
  readonly at: number;
}

interface Row {
  readonly start: number;
  readonly text: string;
  /** For each separator how many of it are here, and the first of the lines that have as many. */
  readonly heads: ReadonlyMap<string, { readonly count: number; readonly text: string }>;
}

/** Columns that spaces align have words below each other. */
const gap = '  ';
const separators = ['\t', '|', ';', ',', gap];
const maxRow = 4000;
/** What stands between the beginning of a cell and its value. */
const beginsCell = /^[\s"'`*_{(]*$/;

/** Returns a function that finds the cell of a value by where it begins; undefined in headings and outside of tables. */
export function tableCells(text: string): (start: number) => TableCell | undefined {
  let rows: readonly Row[] | undefined;
  let starts: readonly number[] = [];
  return (start) => {
    if (rows === undefined) {
      rows = rowsOf(text);
      starts = rows.map((row) => row.start);
    }
    const row = rows[indexUpTo(starts, start)];
    if (row === undefined) return undefined;
    const at = start - row.start;
    const before = row.text.slice(0, at);
    for (const [sign, head] of row.heads) {
      const heading = head.text === row.text ? undefined : headingOf(head.text, sign, before);
      if (heading !== undefined) return { heading, row: row.text, at };
    }
    return undefined;
  };
}

/** Reads the lines of a text. An empty one ends a table, one that is drawn below headings does not. */
function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  for (const { 0: line, index } of text.matchAll(/(?<![^\n])[^\n]*/g)) {
    if (line.includes('-') && /^[\s|+:=-]*$/.test(line)) continue;
    const bare = line
      .slice(0, maxRow)
      .replaceAll(/"[^"]*"/g, (cell) => cell.replaceAll(/[|;,]/g, ' '));
    const heads = new Map<string, { readonly count: number; readonly text: string }>();
    for (const sign of separators) {
      const above = rows.at(-1)?.heads.get(sign);
      const count = countIn(bare, sign);
      const isBelow = above !== undefined && (above.count === count || sign === gap);
      if (isBelow && bare.trim() !== '') heads.set(sign, above);
      else if (count > 0) heads.set(sign, { count, text: bare });
    }
    rows.push({ start: index, text: bare, heads });
  }
  return rows;
}

function countIn(row: string, sign: string): number {
  if (sign === gap) return Number(/\S {2,}\S/.test(row));
  // In a sentence a space stands behind it.
  return /[,;]/.test(sign) && row.includes(`${sign} `) ? 0 : row.split(sign).length - 1;
}

function headingOf(head: string, sign: string, before: string): string | undefined {
  if (sign === gap) {
    const [words] =
      /^ [^\s:=]+(?: [^\s:=]+)*(?= {2}|\s*$)/.exec(` ${head}`.slice(before.length)) ?? [];
    return /\S ?$/.test(before) ? undefined : words;
  }
  const cells = before.split(sign);
  return beginsCell.test(cells.at(-1) ?? '') ? head.split(sign)[cells.length - 1] : undefined;
}
