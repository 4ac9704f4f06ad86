import { indexUpTo } from '#core/reading/index';

export interface TableCell {
  readonly heading: string;
  readonly row: string;
  /** The position of the value in its row. */
  readonly at: number;
}

interface Row {
  readonly start: number;
  readonly text: string;
  /** The first line of the table for each separator and number of its occurrences. */
  readonly heads: ReadonlyMap<string, string>;
}

/** The last one is for columns aligned with spaces. */
const separators = ['\t', '|', ';', ',', ' '];
const maxRow = 4000;

/** Returns a function that finds the cell of a value by its position; undefined in headings and outside tables. */
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
    for (const [key, head] of row.heads) {
      const heading =
        head === row.text ? undefined : headingOf(head, key.charAt(0), row.text.slice(0, at));
      if (heading !== undefined) return { heading, row: row.text, at };
    }
    return undefined;
  };
}

/** Reads the lines of a text. An empty line ends a table; a ruled line below the headings does not. */
function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  /** Whether a ruled line marks the width of each column: then a value may fill its column up to the next one. */
  let isRuled = false;
  // In an SQL `INSERT`, the values follow the names of their columns.
  const lines = text.replaceAll(/(?<=\) VALUES) (?=\()/gi, '\n');
  for (const { 0: line, index } of lines.matchAll(/(?<![^\n])[^\n]*/g)) {
    if (/^"?sep=|^(?=.*[-=\u2500])[\s|+:=\u2500-\u257F-]*$/i.test(line)) {
      isRuled = /[-=] +[-=]/.test(line);
      continue;
    }
    const bare = line
      .slice(0, maxRow)
      .replaceAll('\u2502', '|')
      .replace(/\)(?: VALUES|[,;])\s*$/i, ')')
      .replace(/^COPY [^(]*\((.*)\).*/, (_, names: string) => names.replaceAll(', ', '\t'))
      .replaceAll(/"[^"]*"/g, (cell) => cell.replaceAll(/[|;,]/g, ' '));
    // Jira writes two bars around each heading.
    const row = bare.endsWith('||') ? bare.replaceAll('||', ' |') : bare;
    const heads = new Map<string, string>();
    for (const separator of row.trim() === '' ? [] : separators) {
      const key = separator + (separator === ' ' ? '' : String(row.split(separator).length));
      const head = rows.at(-1)?.heads.get(key);
      if ((head !== undefined && (separator !== ' ' || isRuled)) || mayBegin(row, separator))
        heads.set(key, head ?? row);
    }
    rows.push({ start: index, text: row, heads });
  }
  return rows;
}

function mayBegin(row: string, separator: string): boolean {
  if (separator === ' ') return /\S {2,}\S/.test(row);
  // In a sentence, a space follows the separator.
  const isSentence =
    /[;,]/.test(separator) && row.includes(`${separator} `) && !/^\s*INSERT INTO/i.test(row);
  return row.trim().includes(separator) && !isSentence;
}

function headingOf(head: string, separator: string, before: string): string | undefined {
  if (separator === ' ')
    return /\S$/.test(before)
      ? undefined
      : /^ ([^\s:=]+(?: [^\s:=]+)*)(?= {2}|\s*$)/.exec(` ${head}`.slice(before.length))?.[1];
  const cells = before.split(separator);
  // A cell may begin with quotation marks or similar before its value.
  return /^[\s"'`*_{(]*$/.test(cells.at(-1) ?? '')
    ? head.split(separator)[cells.length - 1]
    : undefined;
}
