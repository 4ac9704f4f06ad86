import { purchaseIn } from '#core/check/outcome';
import type { OutcomeSummary } from '#core/history/answer-summary';

/** Names the item that codes should be for. */
export interface ExpectedItem {
  /** The connection whose item it is; absent where only the id is known. */
  readonly connectionId?: string;
  readonly itemId: number;
  readonly name: string;
}

/** Tells whether a report holds a purchase of another item than expected; false when none is expected. */
export function isForOtherItem(
  {
    connectionId,
    outcome,
  }: { readonly connectionId: string; readonly outcome?: OutcomeSummary | undefined },
  expected: ExpectedItem | undefined,
): boolean {
  const bought = purchaseIn(outcome)?.item;
  if (expected === undefined || bought === undefined) return false;
  return bought.id !== expected.itemId || (expected.connectionId ?? connectionId) !== connectionId;
}
