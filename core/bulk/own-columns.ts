import { codesIn } from '#core/bulk/collect-codes';
import type { SourceLayout } from '#core/bulk/enrich';
import { canonicalCode } from '#core/check/code-spelling';

/** Holds the first columns of a job's own file beside the one of codes: an order number, a customer's name. */
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
export function createOwnColumns({ delimiter, column, hasHeadings, patterns }: SourceLayout): {
  readonly add: (cells: readonly string[]) => void;
  readonly end: () => OwnColumns;
} {
  const own = [0, 1, 2].filter((place) => place !== column).slice(0, maxColumns);
  const beside = new Map<string, readonly string[]>();
  let titles: readonly string[] = noCells;
  let isFirst = true;
  return {
    add(cells) {
      if (delimiter === undefined || cells.length === 0) return;
      const shown = own.map((place) => (cells[place] ?? '').trim().slice(0, maxCellLength));
      titles = own.flatMap((place, at) =>
        at < titles.length || place < cells.length ? (titles[at] ?? '') : [],
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
