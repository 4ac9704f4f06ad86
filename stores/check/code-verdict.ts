import { isNotFound, purchaseIn } from '#core/check/index';
import { bestFirst, reportsToRefresh } from '#core/verdict/index';
import type { PendingCheck } from '#stores/check/pending-check';

/** The single verdict from the checks of one code at all its connections. */
export interface CodeVerdict {
  /** The check that gives the verdict. It has no report if no connection has a purchase and an answer is missing. */
  readonly lead: PendingCheck;
  /** The other connections' checks, best first. */
  readonly others: readonly PendingCheck[];
  /** Whether an answer that can change the verdict is still outstanding. */
  readonly isBusy: boolean;
  /** Whether every connection has answered that it does not know the code. */
  readonly isMissing: boolean;
  /** The checks to repeat for a newer verdict. */
  readonly toRefresh: readonly PendingCheck[];
}

/**
 * Judges the checks of one code. A purchase is the verdict at once. A fault or a not-found is the verdict only when
 * every connection has answered, since the next answer may be a purchase.
 * @param now epoch milliseconds
 * @returns undefined if no check has a report or will get one, and for a not-found if a connection could not be asked
 */
export function verdictOfCode(
  pendingChecks: readonly PendingCheck[],
  now: number,
): CodeVerdict | undefined {
  const asked = pendingChecks.filter(
    ({ report, state }) => report !== undefined || state !== 'settled',
  );
  const ranked = bestFirst(
    asked.map((pendingCheck) => ({ pendingCheck, outcome: pendingCheck.report?.outcome })),
    now,
  );
  const [lead, ...others] = ranked.map(({ pendingCheck }) => pendingCheck);
  if (lead === undefined || (isMissing(lead) && asked.length < pendingChecks.length))
    return undefined;
  return {
    lead,
    others,
    isBusy: (isHit(lead) ? [lead] : pendingChecks).some(({ state }) => state !== 'settled'),
    isMissing: isMissing(lead) && others.every(isMissing),
    toRefresh: reportsToRefresh(ranked).map(({ pendingCheck }) => pendingCheck),
  };
}

function isHit({ report }: PendingCheck): boolean {
  return purchaseIn(report?.outcome) !== undefined;
}

function isMissing({ report }: PendingCheck): boolean {
  return isNotFound(report?.outcome);
}
