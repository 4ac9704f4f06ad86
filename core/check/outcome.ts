import type { NotFound } from '#core/check/check-answer';
import type { Result } from '#core/result';
import type { Fault } from '#core/seller/fault';

/** Holds how the check of one code ended, whole or as it is stored. @template P the purchase or its stored part */
type Outcome<P> = Result<{ readonly kind: 'purchase'; readonly purchase: P } | NotFound, Fault>;

/** Returns the purchase that an outcome holds; undefined for a not-found, a fault and an answer that is still to come. */
export function purchaseIn<P>(outcome: Outcome<P> | undefined): P | undefined {
  return outcome?.ok === true && outcome.value.kind === 'purchase'
    ? outcome.value.purchase
    : undefined;
}

/** Tells whether the seller answered that it does not know the code. */
export function isNotFound(outcome: Outcome<unknown> | undefined): boolean {
  return outcome?.ok === true && outcome.value.kind === 'not-found';
}

/** Tells whether the keys were locked. */
export function isLocked(outcome: Outcome<unknown> | undefined): boolean {
  return outcome?.ok === false && outcome.fault.kind === 'locked';
}
