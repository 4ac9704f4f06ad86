import type { BulkRow } from '#core/bulk/job';
import type { OutcomeSummary } from '#core/history/answer-summary';
import { verdictOf } from '#core/check/verdict';

/** What a row is, in the order an agent looks for it. `data-verdict` says the same. */
export const rowStandings = [
  'supported',
  'lapsed',
  'no-support',
  'not-found',
  'fault',
  'waiting',
] as const;
export type RowStanding = (typeof rowStandings)[number];

/** @param now epoch milliseconds */
export function standingOf(outcome: OutcomeSummary | undefined, now: number): RowStanding {
  if (outcome === undefined) return 'waiting';
  if (!outcome.ok) return 'fault';
  if (outcome.value.kind === 'not-found') return 'not-found';
  return verdictOf(outcome.value.purchase, now).kind;
}

/** A genuine code for another product than the tickets are about. */
export function isOtherItem(
  outcome: OutcomeSummary | undefined,
  expectedItemId: number | undefined,
): boolean {
  return (
    expectedItemId !== undefined &&
    outcome?.ok === true &&
    outcome.value.kind === 'purchase' &&
    outcome.value.purchase.item.id !== expectedItemId
  );
}

export function countRows(rows: readonly BulkRow[], now: number): Record<RowStanding, number> {
  const counts = Object.fromEntries(rowStandings.map((name) => [name, 0])) as Record<
    RowStanding,
    number
  >;
  for (const { outcome } of rows) counts[standingOf(outcome, now)] += 1;
  return counts;
}

export type BulkSortKey = 'index' | 'verdict' | 'code' | 'item' | 'connection';

export interface RowView {
  /** Text to be found in the code, the item or the connection's name. */
  readonly wanted: string;
  readonly standing: RowStanding | undefined;
  readonly key: BulkSortKey;
  readonly down: boolean;
}

/** The rows that are wanted, in the order that is wanted; equal ones stay in the order they were handed over. */
export function arrangeRows(
  rows: readonly BulkRow[],
  { wanted, standing, key, down }: RowView,
  nameOf: (connectionId: string) => string,
  now: number,
): BulkRow[] {
  const needle = wanted.trim().toLowerCase();
  const names = new Map<string, string>();
  const named = (id: string): string => {
    const known = names.get(id) ?? nameOf(id).toLowerCase();
    names.set(id, known);
    return known;
  };
  const some = rows.filter(
    (row) =>
      (standing === undefined || standingOf(row.outcome, now) === standing) &&
      (needle === '' ||
        row.code.toLowerCase().includes(needle) ||
        itemNameOf(row).toLowerCase().includes(needle) ||
        named(row.connectionId).includes(needle)),
  );
  if (key === 'index') return down ? some.reverse() : some;
  const sign = down ? -1 : 1;
  return some
    .map((row) => ({ row, rank: rankOf(row) }))
    .sort((a, b) =>
      a.rank === b.rank ? a.row.index - b.row.index : a.rank < b.rank ? -sign : sign,
    )
    .map(({ row }) => row);

  function rankOf(row: BulkRow): string | number {
    if (key === 'verdict') return rowStandings.indexOf(standingOf(row.outcome, now));
    if (key === 'code') return row.code.toLowerCase();
    return key === 'item' ? itemNameOf(row).toLowerCase() : named(row.connectionId);
  }
}

export function itemNameOf({ outcome }: BulkRow): string {
  return outcome?.ok === true && outcome.value.kind === 'purchase'
    ? outcome.value.purchase.item.name
    : '';
}
