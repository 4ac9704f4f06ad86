import {
  type CodeSource,
  type CollectedCode,
  createCodeCollector,
  type PassedOver,
} from '#core/bulk/collect-codes';
import { createRawReader, type RawRecord } from '#core/tables/index';
import { hasHeadings, type Layout } from '#core/bulk/detect-layout';

export interface CollectedCodes {
  readonly codes: readonly CollectedCode[];
  /** How many repeated occurrences of codes were found, in any spelling. */
  readonly duplicates: number;
  /** How many non-empty cells and lines had no code; in prose, how many lines have a token like a code of another form. */
  readonly withoutCode: number;
  /** The first hundred of them. */
  readonly passedOver: readonly PassedOver[];
  /** Empty cells of the chosen column. */
  readonly blank: number;
  /** Whether codes beyond `maxCodes` were left out. */
  readonly truncated: boolean;
  /** The first line with a quotation mark that is never closed; it was read as an ordinary character. */
  readonly openQuote: number | undefined;
}

/** Reads a text in pieces, which may be cut anywhere. */
export interface CodeReader {
  push(text: string): void;
  end(): CollectedCodes;
  /** Whether more codes than `maxCodes` were found; further text adds none. */
  readonly truncated: boolean;
}

/**
 * Sizes of a section of prose, in UTF-16 units: it ends at the first blank line after `lower`, or at `upper`, since a
 * code may be broken over two lines.
 */
const sectionSize = { lower: 65_536, upper: 262_144 };

/** Where a line that is longer than a section may be cut: before a block of HTML, after a record of JSON, at a space. */
const cutMarks = [/<(?:br|div|li|p|tr)\b/giu, /(?<=\}),/gu, /\s/gu];
/** How far back from the end of a section to look for such a mark, in UTF-16 units. */
const cutReach = 4096;

/** Cuts a line into parts that fit into a section. */
function cutLine(line: string): string[] {
  const parts: string[] = [];
  let at = 0;
  while (line.length - at > sectionSize.upper) {
    const end = at + sectionSize.upper;
    const tail = line.slice(end - cutReach, end);
    const marks = cutMarks.map((mark) => [...tail.matchAll(mark)].at(-1)?.index);
    const cut = end - cutReach + (marks.find((mark) => mark !== undefined) ?? cutReach);
    parts.push(line.slice(at, cut));
    at = cut;
  }
  return [...parts, line.slice(at)];
}

/**
 * Returns what the codes of a text are read from. If most codes of a column have a known form, a word in it is not a
 * code.
 */
function sourceOf(layout: Layout, column: number): CodeSource {
  if (layout.kind !== 'table') return layout.kind === 'list' ? 'line' : 'prose';
  return (layout.columns[column]?.codeShare ?? 0) >= 0.5 ? 'known-column' : 'column';
}

/**
 * Creates a reader of the codes in a text.
 * @param column the column of a table that holds the codes, from 0; ignored in other layouts
 * @param patterns as `locateCodes` takes them
 */
export function createCodeReader(
  layout: Layout,
  column: number,
  patterns: readonly string[] = [],
): CodeReader {
  const isTable = layout.kind === 'table';
  const reader = createRawReader(isTable ? layout.delimiter : undefined);
  const codes = createCodeCollector(sourceOf(layout, column), patterns);
  /** How many records precede the rows of a table. */
  let above = isTable ? layout.above + Number(hasHeadings(layout, column, patterns)) : 0;
  let openQuote: number | undefined;
  let section = { lines: [] as string[], numbers: [] as number[], lastLine: 0, size: 0 };

  function addCell({ cells, line }: RawRecord): void {
    if (above > 0) above -= 1;
    else codes.add(cells[isTable ? column : 0] ?? '', line);
  }

  function addLine({ cells, line }: RawRecord): void {
    const isAfterBlank = line !== section.lastLine + 1;
    if (section.size >= (isAfterBlank ? sectionSize.lower : sectionSize.upper)) endSection();
    const [text = '', ...rest] = cutLine(cells[0] ?? '');
    addToSection(text, line);
    for (const part of rest) {
      endSection();
      addToSection(part, line);
    }
  }

  function addToSection(text: string, line: number): void {
    section.lines.push(text);
    section.numbers.push(line);
    section.lastLine = line;
    section.size += text.length;
  }

  function endSection(): void {
    const { lines, numbers, lastLine } = section;
    if (lines.length > 0) codes.add(lines.join('\n'), numbers[0] ?? 1, numbers);
    section = { lines: [], numbers: [], lastLine, size: 0 };
  }

  function add(records: readonly RawRecord[]): void {
    for (const record of records) {
      if (record.isOpen) openQuote ??= record.line;
      if (record.cells.length > 0) (layout.kind === 'prose' ? addLine : addCell)(record);
    }
  }

  return {
    push(text) {
      add(reader.push(text));
    },
    end() {
      add(reader.end());
      endSection();
      const { withoutCode, passedOver, blank, truncated } = codes;
      const found = codes.codes;
      const duplicates = found.reduce((sum, { times }) => sum + times - 1, 0);
      return { codes: found, duplicates, withoutCode, passedOver, blank, truncated, openQuote };
    },
    get truncated() {
      return codes.truncated;
    },
  };
}
