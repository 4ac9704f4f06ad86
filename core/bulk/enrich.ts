import { codesIn } from '#core/bulk/collect-codes';
import { hasHeadings, type Layout } from '#core/bulk/detect-layout';
import { type Cell, type Delimiter, inQuotes, type RawRecord, writeCell } from '#core/tables/index';
import { canonicalCode, locateCodes, maskCode } from '#core/codes/index';
import { plainForm, readingOf } from '#core/reading/index';

/** The place of a job's codes in the file that they came from. */
export interface SourceLayout {
  /** Absent where each line is a code. */
  readonly delimiter?: Delimiter;
  /** The column of codes, from 0. */
  readonly column: number;
  /** How many records stand above the headings or, without any, above the first row; none where absent. */
  readonly above?: number;
  readonly hasHeadings: boolean;
  /** The patterns that were given to `locateCodes`. */
  readonly patterns: readonly string[];
}

/** The file that a job's codes came from, as it was, and where in it they stand. */
export interface JobSource<File> {
  readonly file: File;
  readonly layout: SourceLayout;
}

/** The columns that are appended to a file's records. */
export interface Enrichment {
  readonly layout: SourceLayout;
  /** How many cells the widest record has; narrower ones are padded. */
  readonly width: number;
  /** The heading of a list's codes, where the list has none. */
  readonly codeHeading: string;
  readonly headings: readonly string[];
  /** Returns the cells to append for the codes of one record, none included. */
  readonly cellsFor: (codes: readonly string[]) => readonly Cell[];
  /** Masks the codes in the file's own cells. */
  readonly masked: boolean;
  /** Rewrites those of the file's own records that a spreadsheet might run as a formula. */
  readonly safe: boolean;
}

/**
 * Creates a writer of a file's records, to be called with each in order. A record's own text stays as it is, in its
 * quotes and with its line break; padding and our cells follow it, except above the headings. Empty lines stay empty.
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

/** Matches what begins like a formula, but is a number or a dash for nothing. */
const isHarmless = /^[-+ ]*(?:\d[\d., \u00A0]*%?)?$/;

/** Makes a line one cell, in quotes where it needs them and has none. */
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

/** The first columns of a job's own file, other than the column of codes: an order number, a customer's name. */
export interface OwnColumns {
  /** Their headings; empty where the file has none. */
  readonly titles: readonly string[];
  /** Returns the cells beside a code where the file has it first. */
  readonly cellsOf: (code: string) => readonly string[];
}

/** How many columns are shown, and how much of a cell is kept, in UTF-16 units. */
const [maxColumns, maxCellLength] = [2, 200];
const noCells: readonly string[] = [];

/** Creates what collects the first columns of a table, given the cells of its records in order. A list has none. */
export function createOwnColumns(layout: SourceLayout): {
  readonly add: (cells: readonly string[]) => void;
  readonly end: () => OwnColumns;
} {
  const { delimiter, column, hasHeadings, patterns } = layout;
  const own = [0, 1, 2].filter((index) => index !== column).slice(0, maxColumns);
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
      const shown = own.map((index) => (cells[index] ?? '').trim().slice(0, maxCellLength));
      titles = own.flatMap((index, at) =>
        at < titles.length || index < cells.length ? (titles[at] ?? '') : [],
      );
      if (isFirst && hasHeadings) titles = shown.slice(0, titles.length);
      else
        for (const code of codesIn(cells[column] ?? '', 'column', patterns)) {
          const name = canonicalCode(code);
          if (!beside.has(name)) beside.set(name, shown);
        }
      isFirst = false;
    },
    end: () => ({ titles, cellsOf: (code) => beside.get(canonicalCode(code)) ?? noCells }),
  };
}

/**
 * Says how the codes that were read by a layout stand in their file; undefined for prose, which has no rows to return.
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
