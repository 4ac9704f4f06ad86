import { codesIn } from '#core/bulk/collect-codes';
import { createDelimitedReader, type Delimiter } from '#core/bulk/delimited';
import { classifyInput } from '#core/check/classify-input';

export interface TableLayout {
  readonly kind: 'table';
  readonly delimiter: Delimiter;
  /** The first line, where no code of the common form is in it; else empty. See {@link hasHeadings}. */
  readonly headings: readonly string[];
  readonly columns: readonly Column[];
  /** The column of codes; undefined where no column stands out. */
  readonly column: number | undefined;
}

/** Describes the layout of a text for a bulk check. */
export type Layout =
  | TableLayout
  /** A code on each line. */
  | { readonly kind: 'list' }
  /** Anything else, such as a ticket or a mail. */
  | { readonly kind: 'prose' };

/** Describes one column of a table. */
export interface Column {
  /** Its heading, or its first value. */
  readonly name: string;
  /** The share of the sample's rows with a code in this column, 0 to 1. */
  readonly codeShare: number;
}

const delimiters: readonly Delimiter[] = ['\t', ';', ',', '|'];
const looksLikeHeading = /code|key|licen[cs]e|purchase/i;

/**
 * Detects the layout of a text. A table has the same number of cells, at least two, in 80 % of its first 200 records. Its column of
 * codes has codes in at least 40 % of its cells; a heading such as "code" decides between several.
 * @param sample the beginning of the text, cut at a line break where it was cut
 * @param patterns as `findCodes` takes them
 */
export function detectLayout(sample: string, patterns: readonly string[] = []): Layout {
  const table = delimiters
    .map((delimiter) => readTable(sample, delimiter))
    .filter((read) => read !== undefined)
    .toSorted((a, b) => b.evenShare - a.evenShare || b.width - a.width)[0];
  if (table !== undefined) {
    const layout = layoutOf(table, patterns);
    if (layout.column !== undefined || table.records.length >= 4) return layout;
  }
  const lines = sample.split(/\r\n|\r|\n/u).filter((line) => line.trim() !== '');
  const tokens = lines.filter((line) => !/\s/u.test(line.trim()));
  return { kind: tokens.length >= 0.7 * lines.length ? 'list' : 'prose' };
}

/**
 * Tells whether the first line of a table holds headings: not where the column that the codes are read from has a code in it, be
 * it of an unusual form.
 */
export function hasHeadings(
  { headings }: TableLayout,
  column: number,
  patterns: readonly string[] = [],
): boolean {
  return headings.length > 0 && codesIn(headings[column] ?? '', 'heading', patterns).length === 0;
}

interface ReadTable {
  readonly delimiter: Delimiter;
  readonly width: number;
  /** The share of records of that width. */
  readonly evenShare: number;
  readonly records: readonly (readonly string[])[];
}

function readTable(sample: string, delimiter: Delimiter): ReadTable | undefined {
  const reader = createDelimitedReader(delimiter);
  const records = [...reader.push(sample), ...reader.end()].slice(0, 200).map(({ cells }) => cells);
  const widths = new Map<number, number>();
  for (const { length } of records) widths.set(length, (widths.get(length) ?? 0) + 1);
  const [width = 0, count = 0] = [...widths].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  const evenShare = count / Math.max(1, records.length);
  return width >= 2 && evenShare >= 0.8 ? { delimiter, width, evenShare, records } : undefined;
}

function layoutOf(
  { delimiter, width, records }: ReadTable,
  patterns: readonly string[],
): TableLayout {
  const [head = [], ...rest] = records;
  const isHeading = !head.some((cell) => holdsCode(cell, patterns));
  const rows = isHeading ? rest : records;
  const columns = Array.from({ length: width }, (_, at): Column => {
    const held = rows.filter((cells) => holdsCode(cells[at] ?? '', patterns)).length;
    return { name: (head[at] ?? '').trim(), codeShare: held / Math.max(1, rows.length) };
  });
  const [best] = [...columns.entries()]
    .filter(([, { codeShare }]) => codeShare >= 0.4)
    .toSorted(([, a], [, b]) => rank(b) - rank(a));
  const named = columns.findIndex(({ name }) => isHeading && looksLikeHeading.test(name));
  return {
    kind: 'table',
    delimiter,
    headings: isHeading ? head : [],
    columns,
    column: best?.[0] ?? (named >= 0 ? named : undefined),
  };

  function rank({ name, codeShare }: Column): number {
    return codeShare + (isHeading && looksLikeHeading.test(name) ? 0.3 : 0);
  }
}

function holdsCode(cell: string, patterns: readonly string[]): boolean {
  return classifyInput(cell, { patterns }).kind === 'codes';
}
