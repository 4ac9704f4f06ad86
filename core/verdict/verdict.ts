import {
  type CheckReport,
  isLocked,
  isNotFound,
  type OutcomeSummary,
  purchaseIn,
} from '#core/check/index';
import type { Purchase } from '#core/marketplaces/index';
import { succeed } from '#core/result';

type PurchaseProblem = NonNullable<Purchase['problem']>;

/**
 * The support of a genuine purchase at one moment. `until` is epoch milliseconds; durations are milliseconds, never
 * negative.
 */
export type PurchaseVerdict =
  | { readonly kind: 'supported'; readonly until: number; readonly remaining: number }
  | { readonly kind: 'lapsed'; readonly until: number; readonly past: number }
  | { readonly kind: 'no-support' }
  /** Genuine; the marketplace reports no support period. */
  | { readonly kind: 'untold' }
  /** The marketplace knows it but says that it does not count. `since` is epoch milliseconds. */
  | {
      readonly kind: 'problem';
      readonly problem: PurchaseProblem['kind'];
      readonly since?: number;
    };

/** The exact reason for `no-support`, in `data-because` and exports. */
export type ExactVerdict = 'untold' | PurchaseProblem['kind'];

/**
 * Judges the support of a purchase at one moment. At exactly `supportedUntil` it has lapsed.
 * @param now epoch milliseconds
 *
 * @example
 * verdictOf({ supportedUntil: 2_000 }, 500) // { kind: 'supported', until: 2_000, remaining: 1_500 }
 * verdictOf({}, 500) // { kind: 'no-support' }
 */
export function verdictOf(
  purchase: Pick<Purchase, 'supportedUntil' | 'supportUnknown' | 'problem'>,
  now: number,
): PurchaseVerdict {
  const { problem, supportUnknown } = purchase;
  if (problem !== undefined && now >= (problem.from ?? 0))
    return { kind: 'problem', problem: problem.kind, ...(problem.from && { since: problem.from }) };
  if (supportUnknown === true) return { kind: 'untold' };
  const until = purchase.supportedUntil;
  if (until === undefined) return { kind: 'no-support' };
  if (now < until) return { kind: 'supported', until, remaining: until - now };
  return { kind: 'lapsed', until, past: now - until };
}

/** The part of a report that determines its rank. Without an outcome, the answer has not arrived. */
interface Ranked {
  readonly outcome?: OutcomeSummary | undefined;
}

/**
 * Sorts the reports about one code, one per connection, so that the first gives the code's verdict. First come
 * purchases, longest support first, those that do not count last; then outstanding answers, which may be purchases;
 * then faults, `locked` before the others; then not-found, which decides only if no connection failed, since one that
 * failed may know the code. Equal ranks keep their order.
 * @param now epoch milliseconds; an objection to a purchase counts only from its own moment on
 */
export function bestFirst<Report extends Ranked>(
  reports: readonly Report[],
  now: number,
): Report[] {
  return reports.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || supportOf(other, now) - supportOf(one, now),
  );
}

/**
 * Returns the reports to refresh for a newer verdict: that of the purchase, or those that failed, or all if no
 * connection knows the code.
 * @param ranked the result of `bestFirst`
 */
export function reportsToRefresh<Report extends Ranked>(ranked: readonly Report[]): Report[] {
  const [best] = ranked;
  if (purchaseIn(best?.outcome) !== undefined) return ranked.slice(0, 1);
  return ranked.filter(({ outcome }) => isNotFound(best?.outcome) || outcome?.ok === false);
}

/** The part of a report that determines the last known answer. Without an outcome, the connection gave no answer. */
type Known = Pick<CheckReport, 'connectionId'> &
  Partial<Pick<CheckReport, 'outcome' | 'checkedAt' | 'lastKnown'>>;

/**
 * Returns the best of the last known answers about a code that could not be checked again, and its time, epoch
 * milliseconds. Undefined if there is none, or if it would be a not-found although one connection's answer is unknown:
 * that connection may know the code.
 * @param reports the reports of every connection that was asked
 */
export function lastKnownOf(
  reports: readonly Known[],
  now: number,
): (AnsweredReport & { readonly at: number }) | undefined {
  const answers = reports.map(({ connectionId, outcome, checkedAt = now, lastKnown }) => ({
    connectionId,
    outcome: lastKnown ? succeed(lastKnown.answer) : outcome,
    at: lastKnown?.checkedAt ?? checkedAt,
  }));
  // A not-found is as old as the oldest answer that it is based on.
  const [best] = bestFirst(
    answers.toSorted((one, other) => one.at - other.at),
    now,
  );
  return best?.outcome?.ok === true ? { ...best, outcome: best.outcome } : undefined;
}

export interface AnsweredReport {
  readonly connectionId: string;
  readonly outcome: OutcomeSummary;
}

function rankOf({ outcome }: Ranked): number {
  if (outcome === undefined) return 1;
  if (!outcome.ok) return isLocked(outcome) ? 2 : 3;
  return isNotFound(outcome) ? 4 : 0;
}

/**
 * Returns when a purchase's support ends, epoch milliseconds; 0 for anything else, negative for a purchase that does
 * not count.
 */
function supportOf({ outcome }: Ranked, now: number): number {
  const purchase = purchaseIn(outcome);
  if (purchase === undefined) return 0;
  return verdictOf(purchase, now).kind === 'problem' ? -1 : (purchase.supportedUntil ?? 0);
}
