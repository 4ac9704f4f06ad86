import type { Fault } from '#core/seller/fault';
import type { CheckReport } from '#core/check/check-report';

/** One question on a screen: one code at one connection, and what came of it. */
export interface PendingCheck {
  readonly connectionId: string;
  readonly code: string;
  /** `waiting` for its turn, `asking`, or `settled`. The report from before stays meanwhile. */
  state: 'waiting' | 'asking' | 'settled';
  report: CheckReport | undefined;
  /** When it will be asked again by itself, epoch milliseconds. */
  nextRunAt: number | undefined;
}

export function newPendingCheck(connectionId: string, code: string): PendingCheck {
  return { connectionId, code, state: 'waiting', report: undefined, nextRunAt: undefined };
}

/** When a fault says it is worth asking again; undefined where it does not say. */
export function retryAtOf(fault: Fault): number | undefined {
  if (fault.kind === 'rate-limited' || fault.kind === 'server-error') return fault.retryAt;
  return undefined;
}

/** A hit leads; then what is not known yet or could not be asked; a plain not-found comes last. */
export function hitsFirst(pendingChecks: readonly PendingCheck[]): PendingCheck[] {
  return pendingChecks.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ report }: PendingCheck): number {
  if (report?.outcome.ok !== true) return 1;
  return report.outcome.value.kind === 'purchase' ? 0 : 2;
}
