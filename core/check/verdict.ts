import type { Purchase } from '#core/seller/purchase';

/** States the support of a genuine purchase at one moment. `until` is epoch milliseconds; durations are milliseconds, never negative. */
export type PurchaseVerdict =
  | { readonly kind: 'supported'; readonly until: number; readonly remaining: number }
  | { readonly kind: 'lapsed'; readonly until: number; readonly past: number }
  | { readonly kind: 'no-support' };

/**
 * Judges the support of a purchase at one moment. At `supportedUntil` itself it has lapsed.
 * @param now epoch milliseconds
 *
 * @example
 * verdictOf({ supportedUntil: 2_000 }, 500) // { kind: 'supported', until: 2_000, remaining: 1_500 }
 * verdictOf({}, 500) // { kind: 'no-support' }
 */
export function verdictOf(
  purchase: Pick<Purchase, 'supportedUntil'>,
  now: number,
): PurchaseVerdict {
  const until = purchase.supportedUntil;
  if (until === undefined) return { kind: 'no-support' };
  if (now < until) return { kind: 'supported', until, remaining: until - now };
  return { kind: 'lapsed', until, past: now - until };
}
