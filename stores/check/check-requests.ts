import { type CheckQuestion, type CheckReport, nextRetryAt } from '#core/check/index';
import { searchIn } from '#core/marketplaces/index';
import { omitUndefined } from '#core/result';
import { delay } from '#core/time/index';
import type { PendingCheck } from '#stores/check/pending-check';
import { type LatestSeries, latest } from '#stores/latest';
import { askPort, clockPort, usePort } from '#stores/ports';
import { useClock } from '#stores/clock';
import { useExpectedItem } from '#stores/ticket/expected-item';

interface CheckOptions {
  /** Whether to bypass cached replies. */
  readonly fresh: boolean;
  /** Address of the ticket that the code was read from. */
  readonly ticket: string | undefined;
  /** Aborts the check, including its waits. */
  readonly signal: AbortSignal;
  /** The question that joins it with the checks of the same code at other connections. */
  readonly question: CheckQuestion | undefined;
}

/** Sends one check to the worker, repeats it at the fault's `retryAt`, and updates the pending check. */
export type SendCheck = (pendingCheck: PendingCheck, options: CheckOptions) => Promise<void>;

/**
 * Removes a fault whose wait is over, because its text about the wait is no longer true; the check then waits for its
 * answer like a first one. A search keeps its progress, and an earlier answer stays.
 */
function endWait(pendingCheck: PendingCheck, now: number): void {
  const { report } = pendingCheck;
  if (report === undefined || report.outcome.ok || report.lastKnown !== undefined) return;
  const { fault } = report.outcome;
  if (!('retryAt' in fault) || fault.retryAt > now) return;
  if (searchIn(fault) !== undefined) pendingCheck.step = report;
  pendingCheck.report = undefined;
}

/** Stores a report. A fault never replaces an answer; it is stored in `refreshFault` instead. */
function settleWith(pendingCheck: PendingCheck, report: CheckReport): void {
  const { outcome } = report;
  const keepsAnswer = !outcome.ok && pendingCheck.report?.outcome.ok === true;
  if (!keepsAnswer) pendingCheck.report = report;
  pendingCheck.refreshFault = keepsAnswer ? outcome.fault : undefined;
  pendingCheck.state = 'settled';
  pendingCheck.step = undefined;
}

/**
 * Creates the sender of checks to the worker. Call it in a store's setup. Sending a check again makes the earlier one
 * stale.
 * @throws if there is no worker to ask
 */
export function createCheckRequests(): {
  readonly send: SendCheck;
  /**
   * Stops waiting for a check, and shows what it has found so far. An answer that the worker receives later is not
   * lost.
   */
  readonly stop: (pendingCheck: PendingCheck) => void;
} {
  const ask = usePort(askPort);
  const expectedItem = useExpectedItem();
  const now = usePort(clockPort);
  const pageClock = useClock();
  const series = new WeakMap<PendingCheck, LatestSeries>();
  /** The questions that the agent stopped: the worker may still wait for them, so the next one is asked afresh. */
  const stopped = new Set<string>();

  function seriesOf(pendingCheck: PendingCheck): LatestSeries {
    const present = series.get(pendingCheck) ?? latest();
    series.set(pendingCheck, present);
    return present;
  }

  const send: SendCheck = async (pendingCheck, { fresh, ticket, question, signal: outer }) => {
    const { isLatest, signal } = seriesOf(pendingCheck).begin(outer);
    const { code, connectionId } = pendingCheck;
    const key = connectionId + code;
    const { current: expected } = expectedItem;
    const expectedItemId = expected?.connectionId === connectionId ? expected.itemId : undefined;
    const body = omitUndefined({
      code,
      connectionId,
      fresh: fresh || stopped.has(key),
      withProgress: true,
      ticket,
      expectedItemId,
      question,
    });
    /** How many items a search had tried at its last report; -1 before the first. */
    let itemsAsked = -1;
    let retries = 0;
    for (;;) {
      pendingCheck.state = 'asking';
      pendingCheck.isStopped = false;
      pendingCheck.nextRunAt = undefined;
      endWait(pendingCheck, now());
      const report = await ask('check', body).catch((error: unknown) => {
        if (isLatest()) pendingCheck.state = 'settled';
        throw error;
      });
      if (!isLatest()) return;
      stopped.delete(key);
      pageClock.refresh();
      const fault = report.outcome.ok ? undefined : report.outcome.fault;
      const search = searchIn(fault);
      const hasProgressed = search !== undefined && search.asked > itemsAsked;
      itemsAsked = search?.asked ?? itemsAsked;
      // A check that makes progress is not a retry.
      retries = hasProgressed ? 0 : retries + 1;
      const nextRunAt = nextRetryAt(fault, retries - 1, now());
      if (hasProgressed && nextRunAt !== undefined && nextRunAt <= now()) {
        pendingCheck.step = report;
        continue;
      }
      settleWith(pendingCheck, report);
      if (nextRunAt === undefined) return;
      pendingCheck.nextRunAt = nextRunAt;
      await delay(nextRunAt - now(), signal);
      if (!isLatest()) return;
    }
  };

  function stop(pendingCheck: PendingCheck): void {
    if (pendingCheck.state === 'settled' && pendingCheck.nextRunAt === undefined) return;
    seriesOf(pendingCheck).cancel();
    const { step, state } = pendingCheck;
    if (step) settleWith(pendingCheck, step);
    else if (state === 'asking') stopped.add(pendingCheck.connectionId + pendingCheck.code);
    pendingCheck.isStopped = !step;
    pendingCheck.state = 'settled';
    pendingCheck.nextRunAt = undefined;
  }

  return { send, stop };
}
