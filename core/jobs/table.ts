import { purchaseIn } from '#core/check/index';
import { countVerdicts, itemNameOf, type VerdictWord, verdicts, wordOf } from '#core/verdict/index';
import { type Sort, sortRows } from '#core/sort';
import type { BoughtAt } from '#core/items/index';
import type { BulkJob, BulkRow } from '#core/jobs/job';

/** The part of a job that its rows are judged by. */
type JudgingJob = Pick<BulkJob, 'state' | 'expectedItemId'>;

/** Returns the verdict of a row in its job at one moment. @param now epoch milliseconds */
export function wordInJob(row: BoughtAt, job: JudgingJob, now: number): VerdictWord {
  return row.outcome === undefined
    ? unaskedIn(job)
    : wordOf(row, { itemId: job.expectedItemId }, now);
}

/** Returns the word for a row without an outcome. In a cancelled job no row waits any more. */
export function unaskedIn({ state }: Pick<BulkJob, 'state'>): 'waiting' | 'not-checked' {
  return state === 'cancelled' ? 'not-checked' : 'waiting';
}

export function countRows(
  rows: readonly BulkRow[],
  job: JudgingJob,
  now: number,
): Record<VerdictWord, number> {
  return countVerdicts(rows.map((row) => wordInJob(row, job, now)));
}

/**
 * Returns the verdicts that are likely for the codes of a job, in sorting order. Marketplaces rarely object to a
 * purchase, so those verdicts are left out.
 * @param knowSupport for each of its marketplaces, whether it reports when support ends
 */
export function likelyVerdicts(job: JudgingJob, knowSupport: readonly boolean[]): VerdictWord[] {
  const likely: readonly (VerdictWord | undefined)[] = [
    ...(knowSupport.includes(true) ? (['supported', 'lapsed', 'no-support'] as const) : []),
    knowSupport.includes(false) ? 'untold' : undefined,
    job.expectedItemId === undefined ? undefined : 'other-item',
    'not-found',
    'fault',
    unaskedIn(job),
  ];
  return likely.filter((name) => name !== undefined);
}

/** The columns that a job's rows can be sorted by; `own0` and `own1` are the first two columns of its own file. */
export type BulkSortKey =
  | 'verdict'
  | 'code'
  | 'own0'
  | 'own1'
  | 'item'
  | 'supportedUntil'
  | 'connection';

/** Selects which rows of a job are shown, and their order. */
export interface BulkView {
  /**
   * Text that must occur in the code, in a cell of the file's own columns, or in the name of the item or connection,
   * ignoring case.
   */
  readonly wanted?: string;
  readonly group?: VerdictWord | undefined;
  readonly sort?: Sort<BulkSortKey> | undefined;
}

/** The facts that rows are judged, searched and sorted by. */
export interface BulkSubject {
  readonly nameOf: (connectionId: string) => string;
  /** Returns the cells of the job's own file beside a code. */
  readonly ownOf: (code: string) => readonly string[];
  readonly job: JudgingJob;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns the rows to show, sorted. Without a sort they stay in the job's order. */
export function arrangeBulkRows<Row extends BulkRow>(
  rows: readonly Row[],
  { wanted = '', group, sort }: BulkView,
  { nameOf, ownOf, job, now }: BulkSubject,
): Row[] {
  const needle = wanted.trim().toLowerCase();
  const names = new Map<string, string>();
  const foldedNameOf = (id: string): string => {
    const known = names.get(id) ?? nameOf(id).toLowerCase();
    names.set(id, known);
    return known;
  };
  const shown = rows.filter(
    (row) =>
      (group === undefined || wordInJob(row, job, now) === group) &&
      (needle === '' ||
        row.code.toLowerCase().includes(needle) ||
        ownOf(row.code).some((cell) => cell.toLowerCase().includes(needle)) ||
        itemNameOf(row.outcome).toLowerCase().includes(needle) ||
        foldedNameOf(row.connectionId).includes(needle)),
  );
  return sortRows(shown, sort, (row, key) => {
    switch (key) {
      case 'verdict':
        return verdicts.indexOf(wordInJob(row, job, now));
      case 'code':
        return row.code.toLowerCase();
      case 'own0':
      case 'own1':
        return (ownOf(row.code)[key === 'own0' ? 0 : 1] ?? '').toLowerCase();
      case 'item':
        return itemNameOf(row.outcome).toLowerCase();
      case 'supportedUntil':
        return purchaseIn(row.outcome)?.supportedUntil;
      case 'connection':
        return foldedNameOf(row.connectionId);
    }
  });
}

/**
 * Returns the rows that were already shown, updated but in their old order whatever their verdict is now, followed by
 * the rows that are newly shown.
 * @param arranged the rows in the order to show once they need not keep their places
 * @param all the rows of the job
 */
export function inKeptOrder<Row extends Pick<BulkRow, 'code'>>(
  kept: readonly Row[],
  arranged: readonly Row[],
  all: readonly Row[],
): Row[] {
  const byCode = new Map(all.map((row) => [row.code, row]));
  const known = new Set(kept.map(({ code }) => code));
  const further = arranged.filter(({ code }) => !known.has(code));
  return [...kept.flatMap(({ code }) => byCode.get(code) ?? []), ...further];
}
