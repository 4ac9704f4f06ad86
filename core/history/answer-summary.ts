import type { CheckAnswer, NotFound } from '#core/check/check-answer';
import { omitUndefined } from '#core/omit-undefined';
import type { Result } from '#core/result';
import type { Fault } from '#core/seller/fault';
import type { Item } from '#core/seller/item';
import type { Purchase } from '#core/seller/purchase';

/**
 * The stored part of an answer: enough for its verdict at any moment and for a row of a table. It has neither the item's
 * texts and pictures nor the code, which is stored beside it, masked or whole.
 */
export type AnswerSummary =
  { readonly kind: 'purchase'; readonly purchase: PurchaseSummary } | NotFound;

export interface PurchaseSummary extends Omit<Purchase, 'item' | 'purchaseCode' | 'unreadable'> {
  readonly item: Pick<Item, 'id' | 'name' | 'version'>;
}

export type OutcomeSummary = Result<AnswerSummary, Fault>;

/** Leaves out what is not stored. */
export function summariseAnswer(answer: CheckAnswer): AnswerSummary {
  if (answer.kind === 'not-found') return answer;
  const { item, licenseType, price, currency, supportedUntil, downloaded, date } = answer.purchase;
  const { id, name, version } = item;
  return {
    kind: 'purchase',
    purchase: omitUndefined({
      item: { id, name, version },
      licenseType,
      price,
      currency,
      downloaded,
      date,
      supportedUntil,
    }),
  };
}
