import { codesIn } from '#core/bulk/collect-codes';
import { createRawReader, type Delimiter } from '#core/tables/index';
import { classifyInput, readValueName } from '#core/codes/index';

export interface TableLayout {
  readonly kind: 'table';
  readonly delimiter: Delimiter;
  /** How many records precede the headings, such as a report's title and date. */
  readonly above: number;
  /** The next record, or empty if that record contains a code of a known form. See {@link hasHeadings}. */
  readonly headings: readonly string[];
  readonly columns: readonly Column[];
  /** The column of codes; undefined if no column stands out. */
  readonly column: number | undefined;
}

export type Layout =
  | TableLayout
  /** A code on each line. */
  | { readonly kind: 'list' }
  /** Anything else, such as a ticket or a mail. */
  | { readonly kind: 'prose' };

export interface Column {
  /** Its heading, or its first value. */
  readonly name: string;
  /** The share of its filled cells in the sample that hold a code of a known form, 0 to 1. */
  readonly codeShare: number;
  /** Whether any filled cell may be a code of another form. */
  readonly mayHold: boolean;
}

type Row = readonly string[];

const delimiters: readonly Delimiter[] = ['\t', ';', ',', '|'];

/**
 * Detects the layout of a text. A table has the same number of cells, at least two, in 80 % of its first 200 records,
 * or a note that tells Excel its separator. Its column of codes is one in which at least 40 % of the filled cells
 * contain a code. Headings decide if there are several such columns, or none.
 * @param sample the beginning of the text; if it is cut, at a line break
 * @param patterns as `locateCodes` takes them
 */
export function detectLayout(sample: string, patterns: readonly string[] = []): Layout {
  // The commas of JSON do not separate columns, and each of its values has a name.
  if (/^\s*(?:\[\s*)?\{/u.test(sample)) return { kind: 'prose' };
  const lines = sample.split(/\r\n|\r|\n/u).filter((line) => line.trim() !== '');
  const noted = /^\uFEFF?"?sep=(?<separator>[,;|\t])/iu.exec(lines[0] ?? '')?.groups?.['separator'];
  const table = delimiters
    .filter((delimiter) => noted === undefined || delimiter === noted)
    .map((delimiter) => readTable(sample, delimiter, noted !== undefined, patterns))
    .filter((read) => read !== undefined)
    .toSorted((a, b) => b.evenShare - a.evenShare || b.width - a.width)[0];
  if (table !== undefined) {
    const layout = layoutOf(table, patterns);
    // A single line without a code is a sentence, or headings with nothing below them.
    const isAlone = table.rows.length === 1 && layout.headings.length > 0 && noted === undefined;
    const isOther = isAlone || isListInRows(layout, table) || isIntroduced(layout, table, patterns);
    if (!isOther && (layout.column !== undefined || table.rows.length >= 4)) return layout;
  }
  const tokens = lines.filter((line) =>
    /^\s*(?:(?:\d{1,3}[.)]|[*•-])\s+)?"?[^\s",;<>]+"?[,;]?\s*$/u.test(line),
  );
  // The first code may follow the words that introduce all of them.
  const isSaid =
    tokens.length < lines.length &&
    codesIn(sample, 'prose', patterns).length > tokens.filter((line) => /\d/u.test(line)).length;
  return { kind: tokens.length >= 0.7 * lines.length && !isSaid ? 'list' : 'prose' };
}

/**
 * Tells whether a table has headings. It has none if the record in their place already has a code, even an unusual one,
 * in the column that codes are read from.
 */
export function hasHeadings(
  { headings }: TableLayout,
  column: number,
  patterns: readonly string[] = [],
): boolean {
  return headings.length > 0 && codesIn(headings[column] ?? '', 'heading', patterns).length === 0;
}

/**
 * Tells whether a table without headings is really a list of codes with separators: nearly all cells are codes, in one
 * row or in more than two columns.
 */
function isListInRows({ headings, columns }: TableLayout, { rows, width }: ReadTable): boolean {
  const isAll = headings.length === 0 && columns.every(({ codeShare }) => codeShare > 0.9);
  return isAll && (rows.length === 1 || width > 2);
}

/**
 * Tells whether the first record is not a row but a sentence that introduces the rest and happens to contain commas. A
 * label before the first code of a column does not count: then only codes follow below it, and the other columns have
 * none.
 */
function isIntroduced(
  { headings, columns }: TableLayout,
  { rows }: ReadTable,
  patterns: readonly string[],
): boolean {
  if (headings.length > 0)
    return (
      /[:：]\s*$/u.test(headings.at(-1) ?? '') && columns.every(({ codeShare }) => codeShare > 0)
    );
  const says = (cell: string): boolean =>
    /[\p{L})] ?[:：]\s/u.test(cell) && codesIn(cell, 'prose', patterns).length > 0;
  const [first = [], second = []] = rows;
  const isSentence = (cell: string): boolean =>
    /\p{L}{2} \p{L}{2}/u.test(cell) && codesIn(cell, 'prose', patterns).length > 0;
  if (rows.length === 1 && first.some(isSentence)) return true;
  const labelled = first.findIndex(says);
  if (labelled < 0 || second.some(says)) return false;
  const isColumn =
    rows.length > 1 &&
    (columns[labelled]?.codeShare ?? 0) > 0.9 &&
    columns.some(({ codeShare }) => codeShare === 0);
  return !isColumn;
}

interface ReadTable {
  readonly delimiter: Delimiter;
  readonly above: number;
  readonly rows: readonly Row[];
  readonly width: number;
  /** The share of rows with that width. */
  readonly evenShare: number;
}

function readTable(
  sample: string,
  delimiter: Delimiter,
  isNoted: boolean,
  patterns: readonly string[],
): ReadTable | undefined {
  const reader = createRawReader(delimiter);
  const records = [...reader.push(sample), ...reader.end()]
    .flatMap(({ cells }) => (cells.length === 0 ? [] : [cells]))
    .slice(0, 200);
  const above = countAbove(records, patterns);
  const rows = records.slice(above);
  const { width, count } = commonWidth(rows);
  const evenShare = count / Math.max(1, rows.length);
  const isTable = isNoted || (width >= 2 && evenShare >= 0.8);
  return isTable ? { delimiter, above, rows, width, evenShare } : undefined;
}

function commonWidth(rows: readonly Row[]): { readonly width: number; readonly count: number } {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [width = 0, count = 0] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  return { width, count };
}

/**
 * Counts the records above the headings of a table. Such a record fills one cell, or fewer than half. After them must
 * come headings without a code and at least two rows whose codes fill their cells: in a mail, the greeting is followed
 * by sentences with commas instead.
 */
function countAbove(records: readonly Row[], patterns: readonly string[]): number {
  const filled = records.map((cells) => cells.filter((cell) => cell.trim() !== '').length);
  const { width } = commonWidth(records.filter((_, at) => (filled[at] ?? 0) > 1));
  const above = filled.findIndex((count) => count > 1 && count * 2 >= width);
  if (above < 1 || records.length < above + 3) return 0;
  const firstCode = records.findIndex((cells) => cells.some(isCode));
  const isNamed = firstCode < 0 && records[above]?.some((name) => namingOf(name) > 1) === true;
  return firstCode > above || isNamed ? above : 0;

  function isCode(cell: string): boolean {
    const input = classifyInput(cell, { patterns });
    return (
      input.kind === 'codes' &&
      input.codes.some(({ start, end }) => cell.trim().length - (end - start) < 4)
    );
  }
}

function layoutOf(
  { delimiter, above, rows: [head = [], ...rest], width }: ReadTable,
  patterns: readonly string[],
): TableLayout {
  const isHeading = !head.some(holdsCode);
  const rows = isHeading ? rest : [head, ...rest];
  const columns = Array.from({ length: width }, (_, at) => {
    const cells = rows.map((row) => row[at] ?? '').filter((cell) => cell.trim() !== '');
    const share = (isOne: (cell: string) => boolean): number =>
      cells.filter(isOne).length / Math.max(1, cells.length);
    const name = (head[at] ?? '').trim();
    return { at, name, codeShare: share(holdsCode), share, naming: isHeading ? namingOf(name) : 0 };
  });
  const [byCells] = columns
    .filter(({ codeShare, naming }) => codeShare >= 0.4 && naming >= 0)
    .map((column) => ({ ...column, rank: column.codeShare + (column.naming > 0 ? 0.3 : 0) }))
    .toSorted((a, b) => b.rank - a.rank);
  const [byHeading] = columns
    .filter(({ naming }) => naming > 0)
    .map(({ at, naming, share }) => ({ at, rank: naming + share(mayBeCode) }))
    .toSorted((a, b) => b.rank - a.rank);
  return {
    kind: 'table',
    delimiter,
    above,
    headings: isHeading ? head : [],
    columns: columns.map(({ name, codeShare, share }) => ({
      name,
      codeShare,
      mayHold: share(mayBeCode) > 0,
    })),
    column: (byCells ?? byHeading)?.at,
  };

  function holdsCode(cell: string): boolean {
    return classifyInput(cell, { patterns }).kind === 'codes';
  }

  function mayBeCode(cell: string): boolean {
    return codesIn(cell, 'column', patterns).length > 0;
  }
}

const namesOther =
  /(?<!\p{L})(?:id|uuid|guid|machine|device|instance|session|date|time|count|enabled|e-?mail)s?(?!\p{L})|discount|coupon|voucher|promo|rabatt|gutschein|remise|réduction|descuento|cup[oó]n|desconto|cupom|indirim|diskon|скидк|خصم|छूट|折扣|割引/iu;

/**
 * Scores a heading: 2 if it names codes, whatever their form; 1.5 if it may name the numbers of something else; 1 if it
 * contains a word for codes; -1 if it names something else that may look like a code.
 */
function namingOf(heading: string): number {
  // The heading is part of a sentence that was split at its commas.
  if (heading.trim().split(/\s+/u).length > 3 && /\p{L}{4}[!.?。！？](?:\s|$)/u.test(heading))
    return 0;
  const says = readValueName(heading, true);
  const words = heading.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  if (namesOther.test(words) || says === 'other' || says === 'id') return -1;
  if (says !== undefined) return says === 'code' ? 2 : 1.5;
  return /code|key|licen[cs]e|purchase|serial/iu.test(words) ? 1 : 0;
}
