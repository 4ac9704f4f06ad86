import { type OutcomeSummary, isLocked, isNotFound, purchaseIn } from '#core/check/check-report';
import type { Purchase } from '#core/marketplaces/resources';

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

/** Holds the part of a report that it is ranked by; without an outcome, the answer is still to come. */
interface Ranked {
  readonly outcome?: OutcomeSummary | undefined;
}

/**
 * Sorts the reports about one code, each from another connection, so that the first one gives the code's verdict. Purchases come
 * first, the one supported longest leading; then answers still to come, which may be purchases; then faults, `locked` before the
 * others; then not-found, which decides only where nobody failed, since a connection that failed may know the code. Equals keep
 * their order.
 */
export function bestFirst<Report extends Ranked>(reports: readonly Report[]): Report[] {
  return reports.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || supportOf(other) - supportOf(one),
  );
}

function rankOf({ outcome }: Ranked): number {
  if (outcome === undefined) return 1;
  if (!outcome.ok) return isLocked(outcome) ? 2 : 3;
  return isNotFound(outcome) ? 4 : 0;
}

/** Returns until when a purchase is supported, epoch milliseconds; 0 for all else. */
function supportOf({ outcome }: Ranked): number {
  return purchaseIn(outcome)?.supportedUntil ?? 0;
}
