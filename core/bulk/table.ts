import { type OutcomeSummary, purchaseIn } from '#core/check/check-report';
import type { BulkRow } from '#core/bulk/job';
import { type ItemId, purchaseProblems } from '#core/marketplaces/index';
import {
  type ExactVerdict,
  exactVerdictOf,
  supportOfVerdict,
  verdictOf,
} from '#core/check/verdict';
import { type Sort, sortRows } from '#core/sort';

/** Lists the verdicts of a row in sorting order; `data-verdict` has the same names. */
export const rowVerdicts = [
  'supported',
  'lapsed',
  'no-support',
  'not-found',
  'fault',
  'waiting',
] as const;
/** Names the verdict of a row. */
export type RowVerdict = (typeof rowVerdicts)[number];

/**
 * Judges a row at one moment.
 *
 * @param now epoch milliseconds
 */
export function rowVerdictOf(outcome: OutcomeSummary | undefined, now: number): RowVerdict {
  if (outcome === undefined) return 'waiting';
  if (!outcome.ok) return 'fault';
  if (outcome.value.kind === 'not-found') return 'not-found';
  return supportOfVerdict(verdictOf(outcome.value.purchase, now));
}

/** Returns what a row's verdict says more exactly than that there is no support; undefined where it says no more. */
export function exactRowVerdictOf(
  outcome: OutcomeSummary | undefined,
  now: number,
): ExactVerdict | undefined {
  const purchase = purchaseIn(outcome);
  return purchase && exactVerdictOf(verdictOf(purchase, now));
}

/** Tells whether a purchase is of another item than expected; false when no item is expected. */
export function isOtherItem(
  outcome: OutcomeSummary | undefined,
  expectedItemId: ItemId | undefined,
): boolean {
  return (
    expectedItemId !== undefined &&
    (purchaseIn(outcome)?.item.id ?? expectedItemId) !== expectedItemId
  );
}

/**
 * Lists the groups that rows are counted and filtered by: a purchase that is more than supported or not is a group of its own, and
 * so is one of another item than expected, whatever its support.
 */
export const rowGroups = [
  'supported',
  'lapsed',
  'no-support',
  'untold',
  ...purchaseProblems,
  'other-item',
  'not-found',
  'fault',
  'waiting',
] as const;
export type RowGroup = (typeof rowGroups)[number];

/** Returns the group of an outcome at one moment, epoch milliseconds, where no item is expected. */
export function groupOf(
  outcome: OutcomeSummary | undefined,
  now: number,
): RowVerdict | ExactVerdict {
  return exactRowVerdictOf(outcome, now) ?? rowVerdictOf(outcome, now);
}

/** Returns the group of a row at one moment, epoch milliseconds. */
function rowGroupOf(
  outcome: OutcomeSummary | undefined,
  expectedItemId: ItemId | undefined,
  now: number,
): RowGroup {
  const group = groupOf(outcome, now);
  // A purchase that does not count says so, whatever item it is of.
  const counts = isRowVerdict(group) || group === 'untold';
  return counts && isOtherItem(outcome, expectedItemId) ? 'other-item' : group;
}

/** Tells whether a word is a verdict of support, and not one that says more exactly why there is none. */
export function isRowVerdict(word: string): word is RowVerdict {
  return rowVerdicts.some((verdict) => verdict === word);
}

/** Counts the rows of each group at one moment. */
export function countRows(
  rows: readonly BulkRow[],
  expectedItemId: ItemId | undefined,
  now: number,
): Record<RowGroup, number> {
  const counts = Object.fromEntries(rowGroups.map((name) => [name, 0])) as Record<RowGroup, number>;
  for (const { outcome } of rows) counts[rowGroupOf(outcome, expectedItemId, now)] += 1;
  return counts;
}

/** Names the columns that a job's rows can be sorted by; `own0` and `own1` are the first two of its own file. */
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
  /** Text that the code, an own cell, the item's or the connection's name must hold, in any case. */
  readonly wanted: string;
  readonly group: RowGroup | undefined;
  readonly sort: Sort<BulkSortKey> | undefined;
}

/** Holds what the rows are judged and named by. */
export interface BulkSubject {
  readonly nameOf: (connectionId: string) => string;
  /** Returns the cells of the job's own file beside a code. */
  readonly ownOf: (code: string) => readonly string[];
  readonly expectedItemId: ItemId | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns the rows to show, sorted. Without a sort they stay in the job's order. */
export function arrangeBulkRows<Row extends BulkRow>(
  rows: readonly Row[],
  { wanted, group, sort }: BulkView,
  { nameOf, ownOf, expectedItemId, now }: BulkSubject,
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
      (group === undefined || rowGroupOf(row.outcome, expectedItemId, now) === group) &&
      (needle === '' ||
        row.code.toLowerCase().includes(needle) ||
        ownOf(row.code).some((cell) => cell.toLowerCase().includes(needle)) ||
        itemNameOf(row.outcome).toLowerCase().includes(needle) ||
        foldedNameOf(row.connectionId).includes(needle)),
  );
  return sortRows(shown, sort, (row, key) => {
    switch (key) {
      case 'verdict':
        return rowGroups.indexOf(rowGroupOf(row.outcome, expectedItemId, now));
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

/** Returns the name of the item that was bought; empty when no purchase is known. */
export function itemNameOf(outcome: OutcomeSummary | undefined): string {
  return purchaseIn(outcome)?.item.name ?? '';
}
