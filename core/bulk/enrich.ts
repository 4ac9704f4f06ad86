import { codesIn } from '#core/bulk/collect-codes';
import { hasHeadings, type Layout } from '#core/bulk/detect-layout';
import { type Cell, type Delimiter, inQuotes, type RawRecord, writeCell } from '#core/tables/index';
import { canonicalCode, locateCodes, maskCode } from '#core/codes/index';
import { plainForm, readingOf } from '#core/reading/index';

/** Where a job's codes are in the file that they came from. */
export interface SourceLayout {
  /** Absent if each line is a code. */
  readonly delimiter?: Delimiter;
  /** The column of codes, from 0. */
  readonly column: number;
  /** How many records precede the headings, or the first row if there are no headings; absent means 0. */
  readonly above?: number;
  readonly hasHeadings: boolean;
  /** The patterns that were given to `locateCodes`. */
  readonly patterns: readonly string[];
}

/** The unchanged file that a job's codes came from, and where they are in it. */
export interface JobSource<File> {
  readonly file: File;
  readonly layout: SourceLayout;
}

/** The columns that are appended to a file's records. */
export interface Enrichment {
  readonly layout: SourceLayout;
  /** How many cells the widest record has; narrower ones are padded. */
  readonly width: number;
  /** The heading to give the codes of a list that has none. */
  readonly codeHeading: string;
  readonly headings: readonly string[];
  /** Returns the cells to append for the codes of one record, which may have none. */
  readonly cellsFor: (codes: readonly string[]) => readonly Cell[];
  /** Whether the codes in the file's own cells are masked. */
  readonly masked: boolean;
  /** Whether the file's own cells are rewritten if a spreadsheet might run them as a formula. */
  readonly safe: boolean;
}

/**
 * Creates a function that writes a file's records; call it with each in order. A record's own text keeps its quotes and
 * line break. Padding and our cells are appended, except above the headings. Empty lines stay empty.
 */
export function createEnricher(enrichment: Enrichment): (record: RawRecord) => string {
  const { layout, width, headings, safe } = enrichment;
  const delimiter = layout.delimiter ?? ',';
  let above = layout.above ?? 0;
  let isFirst = true;

  function line(own: string, cellCount: number, ours: readonly Cell[]): string {
    const written = ours.map((cell) => writeCell(cell, delimiter));
    return [own, ...Array.from({ length: width - cellCount }, () => ''), ...written].join(
      delimiter,
    );
  }

  function ownText(record: RawRecord, codes: readonly string[]): string {
    const mask = (text: string): string =>
      enrichment.masked ? maskCodes(text, codes, layout.patterns) : text;
    const cells = record.cells.map(mask);
    const harmless = cells.map((cell) => {
      if (!isHarmless.test(cell)) return writeCell(cell, delimiter);
      return cell.includes(delimiter) ? inQuotes(cell) : cell;
    });
    const mayRun = harmless.some((own, at) => own !== cells[at] && own !== inQuotes(cells[at]));
    if (safe && mayRun) return harmless.join(delimiter);
    if (record.isOpen) return cells.map(inQuotes).join(delimiter);
    const text = mask(record.text);
    return isList(layout) ? asCell(text) : text;
  }

  return (record) => {
    const { cells, text, lineBreak } = record;
    if (cells.length === 0) return text + lineBreak;
    if (above > 0) {
      above -= 1;
      return ownText(record, []) + lineBreak;
    }
    const wasFirst = isFirst;
    isFirst = false;
    const codes = codesIn(
      cells[layout.column] ?? '',
      isList(layout) ? 'line' : 'column',
      layout.patterns,
    );
    const isHeading = wasFirst && (layout.hasHeadings || (isList(layout) && codes.length === 0));
    const ours = isHeading ? headings : enrichment.cellsFor(codes);
    const written = line(ownText(record, codes), cells.length, ours) + lineBreak;
    if (!wasFirst || isHeading || !isList(layout)) return written;
    const added = line(enrichment.codeHeading, 1, headings);
    return `${added}${lineBreak === '' ? '\r\n' : lineBreak}${written}`;
  };
}

function isList({ delimiter }: SourceLayout): boolean {
  return delimiter === undefined;
}

/** Matches text that begins like a formula but is a number, or a dash that stands for an empty cell. */
const isHarmless = /^[-+ ]*(?:\d[\d., \u00A0]*%?)?$/;

/** Makes a line one cell, quoting it if needed. */
function asCell(text: string): string {
  const isQuoted = /^"(?:[^"]|"")*"$/.test(text);
  return isQuoted || !/[",;\t]/.test(text) ? text : inQuotes(text);
}

/**
 * Masks the codes in a text, and the given codes wherever they occur in it, even in a spelling that reading would
 * correct.
 */
function maskCodes(text: string, codes: readonly string[], patterns: readonly string[]): string {
  const clean = plainForm(readingOf(text));
  const known = codes.flatMap((code) =>
    Array.from(occurrencesOf(code, clean.text.replaceAll('–', '-')), (at) => ({
      code,
      start: clean.startOf(at),
      end: clean.endOf(at + code.length - 1),
    })),
  );
  const found = [...locateCodes(text, patterns), ...known];
  let masked = '';
  let at = 0;
  for (const { start, end, code } of found.sort((one, other) => one.start - other.start)) {
    if (start < at) continue;
    masked += text.slice(at, start) + maskCode(code);
    at = end;
  }
  return masked + text.slice(at);
}

function* occurrencesOf(code: string, text: string): Generator<number> {
  for (let at = text.indexOf(code); at >= 0; at = text.indexOf(code, at + code.length)) yield at;
}

/** The columns of a job's own file, other than the column of codes: an order number, a customer's name. */
export interface OwnColumns {
  /** Their headings; empty if the file has none. */
  readonly titles: readonly string[];
  /** Returns the cells beside the first occurrence of a code; fewer than the headings if its record is short. */
  readonly cellsOf: (code: string) => readonly string[];
}

/** The number of columns kept, since a file may have thousands, and the UTF-16 units kept of a cell. */
const [maxColumns, maxCellLength] = [30, 200];
const noCells: readonly string[] = [];

/**
 * Creates a collector of a table's columns; give it the cells of each record in order. A list has no such
 * columns.
 */
export function createOwnColumns(layout: SourceLayout): {
  readonly add: (cells: readonly string[]) => void;
  readonly end: () => OwnColumns;
} {
  const { delimiter, column, hasHeadings, patterns } = layout;
  const beside = new Map<string, readonly string[]>();
  let titles: readonly string[] = noCells;
  let above = layout.above ?? 0;
  let isFirst = true;
  return {
    add(cells) {
      if (delimiter === undefined || cells.length === 0) return;
      if (above > 0) {
        above -= 1;
        return;
      }
      const shown = cells
        .toSpliced(column, 1)
        .slice(0, maxColumns)
        .map((cell) => cell.trim().slice(0, maxCellLength));
      if (isFirst && hasHeadings) titles = shown;
      else {
        if (shown.length > titles.length) titles = shown.map((_, at) => titles[at] ?? '');
        for (const code of codesIn(cells[column] ?? '', 'column', patterns)) {
          const name = canonicalCode(code);
          if (!beside.has(name)) beside.set(name, shown);
        }
      }
      isFirst = false;
    },
    end: () => ({ titles, cellsOf: (code) => beside.get(canonicalCode(code)) ?? noCells }),
  };
}

/**
 * Describes where in their file the codes are that were read by a layout; undefined for prose, which has no rows to
 * return.
 * @param column the column that the codes were read from, from 0
 * @param patterns as `locateCodes` took them
 */
export function sourceLayoutOf(
  layout: Layout,
  column: number,
  patterns: readonly string[],
): SourceLayout | undefined {
  if (layout.kind === 'prose') return undefined;
  if (layout.kind === 'list') return { column: 0, hasHeadings: false, patterns };
  const { delimiter, above } = layout;
  return {
    delimiter,
    column,
    ...(above > 0 && { above }),
    hasHeadings: hasHeadings(layout, column, patterns),
    patterns,
  };
}
