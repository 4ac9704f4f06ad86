import { isLocked, isNotFound, purchaseIn } from '#core/check/outcome';
import type { OutcomeSummary } from '#core/history/answer-summary';

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
