import { type OutcomeSummary, purchaseIn } from '#core/check/check-report';
import type { BulkRow } from '#core/bulk/job';
import type { ItemId } from '#core/marketplaces/resources';
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

/** Counts the rows of each verdict at one moment. */
export function countRows(rows: readonly BulkRow[], now: number): Record<RowVerdict, number> {
  const counts = Object.fromEntries(rowVerdicts.map((name) => [name, 0])) as Record<
    RowVerdict,
    number
  >;
  for (const { outcome } of rows) counts[rowVerdictOf(outcome, now)] += 1;
  return counts;
}

/** Names the columns that a job's rows can be sorted by. */
export type BulkSortKey = 'verdict' | 'code' | 'item' | 'connection';

/** Selects which rows of a job are shown, and their order. */
export interface BulkView {
  /** Text that the code, the item's or the connection's name must hold, in any case. */
  readonly wanted: string;
  readonly verdict: RowVerdict | undefined;
  readonly sort: Sort<BulkSortKey> | undefined;
}

/**
 * Returns the rows to show, sorted. Without a sort they stay in the job's order.
 *
 * @param now epoch milliseconds
 */
export function arrangeBulkRows<Row extends BulkRow>(
  rows: readonly Row[],
  { wanted, verdict, sort }: BulkView,
  nameOf: (connectionId: string) => string,
  now: number,
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
      (verdict === undefined || rowVerdictOf(row.outcome, now) === verdict) &&
      (needle === '' ||
        row.code.toLowerCase().includes(needle) ||
        itemNameOf(row.outcome).toLowerCase().includes(needle) ||
        foldedNameOf(row.connectionId).includes(needle)),
  );
  return sortRows(shown, sort, (row, key) => {
    if (key === 'verdict') return rowVerdicts.indexOf(rowVerdictOf(row.outcome, now));
    if (key === 'code') return row.code.toLowerCase();
    return key === 'item' ? itemNameOf(row.outcome).toLowerCase() : foldedNameOf(row.connectionId);
  });
}

/** Returns the name of the item that was bought; empty when no purchase is known. */
export function itemNameOf(outcome: OutcomeSummary | undefined): string {
  return purchaseIn(outcome)?.item.name ?? '';
}
