import { type OutcomeSummary, purchaseIn } from '#core/check/index';
import type { ItemId } from '#core/item-id';

/** The item that codes should be for. */
export interface ExpectedItem {
  /** The connection whose item it is; absent if only the id is known. */
  readonly connectionId?: string;
  readonly itemId: ItemId;
  readonly name: string;
}

/** The item that a code should be for, by its id; without an id any item fits. */
export interface Expectation extends Pick<ExpectedItem, 'connectionId'> {
  readonly itemId: ItemId | undefined;
}

/** An outcome, and its connection if that matters. */
export interface BoughtAt {
  readonly connectionId?: string;
  readonly outcome?: OutcomeSummary | undefined;
}

/** Tells whether a report has a purchase of another item than expected; false if none is expected. */
export function isForOtherItem(
  { connectionId, outcome }: BoughtAt,
  expected: Expectation | undefined,
): boolean {
  if (expected === undefined || purchaseIn(outcome) === undefined) return false;
  const isElsewhere = (expected.connectionId ?? connectionId) !== connectionId;
  return isElsewhere || isOtherItem(outcome, expected.itemId);
}

/** Tells whether a purchase is of another item than expected; false if none is expected. */
export function isOtherItem(
  outcome: OutcomeSummary | undefined,
  expectedItemId: ItemId | undefined,
): boolean {
  const bought = purchaseIn(outcome);
  return (
    expectedItemId !== undefined &&
    bought !== undefined &&
    bought.itemUnknown !== true &&
    bought.item.id !== expectedItemId
  );
}
