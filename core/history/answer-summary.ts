import type { CheckAnswer, NotFound } from '#core/check/check-report';
import { omitUndefined } from '#core/omit-undefined';
import type { Result } from '#core/result';
import type { Fault } from '#core/seller/fault';
import type { Item, Purchase } from '#core/seller/resources';

/**
 * Holds the stored part of an answer: what a verdict and a table row need. It has no code and none of the item's texts and
 * pictures.
 */
export type AnswerSummary =
  | { readonly kind: 'purchase'; readonly purchase: PurchaseSummary }
  | NotFound;

/** Holds the stored part of a purchase. */
export interface PurchaseSummary extends Omit<Purchase, 'item' | 'purchaseCode' | 'unreadable'> {
  readonly item: Pick<Item, 'id' | 'name' | 'version'>;
}

/** Holds the stored part of an outcome. */
export type OutcomeSummary = Result<AnswerSummary, Fault>;

/** Returns the stored part of an answer. */
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
