import {
  type ExactVerdict,
  type OutcomeSummary,
  purchaseIn,
  type PurchaseVerdict,
  verdictOf,
} from '#core/check/index';
import { isOtherItem } from '#core/items/expected-item';
import type { ItemId } from '#core/items/item-id';
import { purchaseProblems } from '#core/marketplaces/index';

/** Lists the verdicts of a row in sorting order; `data-verdict` has the same names. */
const rowVerdicts = ['supported', 'lapsed', 'no-support', 'not-found', 'fault', 'waiting'] as const;
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

/** Returns the exact reason why a row has no support; undefined if its verdict has none. */
export function exactRowVerdictOf(
  outcome: OutcomeSummary | undefined,
  now: number,
): ExactVerdict | undefined {
  const purchase = purchaseIn(outcome);
  return purchase && exactVerdictOf(verdictOf(purchase, now));
}

/**
 * Lists the groups that rows are counted and filtered by: a purchase with a problem or an untold support period is a group of its
 * own, and so is one of an unexpected item, whatever its support.
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
export function rowGroupOf(
  outcome: OutcomeSummary | undefined,
  expectedItemId: ItemId | undefined,
  now: number,
): RowGroup {
  const group = groupOf(outcome, now);
  // A purchase that does not count says so, whatever item it is of.
  const counts = isRowVerdict(group) || group === 'untold';
  return counts && isOtherItem(outcome, expectedItemId) ? 'other-item' : group;
}

/** Tells whether a word is a plain verdict rather than the exact reason why there is no support. */
export function isRowVerdict(word: string): word is RowVerdict {
  return rowVerdicts.some((verdict) => verdict === word);
}

/** Counts rows by their groups; a group without a row has 0. */
export function countGroups(groups: readonly RowGroup[]): Record<RowGroup, number> {
  const counts = Object.fromEntries(rowGroups.map((name) => [name, 0])) as Record<RowGroup, number>;
  for (const group of groups) counts[group] += 1;
  return counts;
}

/** Returns the name of the item that was bought; empty when no purchase is known. */
export function itemNameOf(outcome: OutcomeSummary | undefined): string {
  return purchaseIn(outcome)?.item.name ?? '';
}

/** Returns the exact reason why there is no support; undefined if the verdict has none. */
export function exactVerdictOf(verdict: PurchaseVerdict): ExactVerdict | undefined {
  if (verdict.kind === 'problem') return verdict.problem;
  return verdict.kind === 'untold' ? verdict.kind : undefined;
}

/** Reduces a verdict to its support: a verdict about anything else counts as no support. */
export function supportOfVerdict({ kind }: PurchaseVerdict): 'supported' | 'lapsed' | 'no-support' {
  return kind === 'untold' || kind === 'problem' ? 'no-support' : kind;
}
