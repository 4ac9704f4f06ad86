import type { CheckReport } from '#core/check/check-report';
import { delay } from '#core/time/delay';
import { minuteMs } from '#core/time/units';
import { useClock } from '#stores/clock';
import { latest, type LatestSeries } from '#stores/latest';
import { askPort, clockPort, usePort } from '#stores/ports';
import { type PendingCheck, retryAtOf } from '#stores/check/pending-check';

/** How often a check is repeated without the agent, and how far ahead at most. */
const maxAutomaticRetries = 3;
const maxAutomaticWaitMs = 15 * minuteMs;

interface CheckOptions {
  /** Passes over cached replies. */
  readonly fresh: boolean;
  /** Address of the ticket that the code was read from. */
  readonly ticket: string | undefined;
  /** Ends the check, its waits included. */
  readonly signal: AbortSignal;
}

/** Sends one check to the worker, again when its fault says when, and writes what happens into the pending check. */
export type SendCheck = (pendingCheck: PendingCheck, options: CheckOptions) => Promise<void>;

/** Takes a report over. One without an answer never replaces an answer: it only says why that was not refreshed. */
function settleWith(pendingCheck: PendingCheck, report: CheckReport): void {
  const { outcome } = report;
  const keepsAnswer = !outcome.ok && pendingCheck.report?.outcome.ok === true;
  if (!keepsAnswer) pendingCheck.report = report;
  pendingCheck.refreshFault = keepsAnswer ? outcome.fault : undefined;
  pendingCheck.state = 'settled';
}

/**
 * Creates what sends checks to the worker. Call it in a store's setup. A check that is sent again makes the earlier one
 * stale.
 * @throws when there is no worker to ask
 */
export function createCheckRequests(): SendCheck {
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const pageClock = useClock();
  const series = new WeakMap<PendingCheck, LatestSeries>();

  function seriesOf(pendingCheck: PendingCheck): LatestSeries {
    const present = series.get(pendingCheck) ?? latest();
    series.set(pendingCheck, present);
    return present;
  }

  return async (pendingCheck, { fresh, ticket, signal: outer }) => {
    const { isLatest, signal } = seriesOf(pendingCheck).begin(outer);
    const { code, connectionId } = pendingCheck;
    const body = { code, connectionId, fresh, ...(ticket !== undefined && { ticket }) };

    for (let retries = 0; ; retries += 1) {
      pendingCheck.state = 'asking';
      pendingCheck.nextRunAt = undefined;
      const report = await ask('check', body).catch((error: unknown) => {
        if (isLatest()) pendingCheck.state = 'settled';
        throw error;
      });
      if (!isLatest()) return;
      pageClock.refresh();
      settleWith(pendingCheck, report);
      const nextRunAt = report.outcome.ok ? undefined : retryAtOf(report.outcome.fault);
      if (nextRunAt === undefined || retries === maxAutomaticRetries) return;
      if (nextRunAt - now() > maxAutomaticWaitMs) return;
      pendingCheck.nextRunAt = nextRunAt;
      await delay(nextRunAt - now(), signal);
      if (!isLatest()) return;
    }
  };
}
