import type { Purchase } from '#core/seller/purchase';

/** Where a genuine purchase's support stands at one moment. Durations are whole milliseconds, never negative. */
export type PurchaseVerdict =
  | { readonly kind: 'supported'; readonly until: number; readonly remaining: number }
  | { readonly kind: 'lapsed'; readonly until: number; readonly past: number }
  | { readonly kind: 'no-support' };

/**
 * @param now epoch milliseconds. Support ends at `supported_until`: at that very moment it has lapsed.
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
