import type { Fault } from '#core/seller/fault';
import type { CheckReport } from '#core/check/check-report';

/** Describes one check on a screen: one code at one connection, with its newest report. */
export interface PendingCheck {
  readonly connectionId: string;
  readonly code: string;
  /** `waiting` in the queue, `asking`, or `settled`. The earlier report stays meanwhile. */
  state: 'waiting' | 'asking' | 'settled';
  report: CheckReport | undefined;
  /** Why the answer in `report` could not be refreshed: the answer stays. */
  refreshFault: Fault | undefined;
  /** When it is repeated without the agent, epoch milliseconds. */
  nextRunAt: number | undefined;
}

export function newPendingCheck(connectionId: string, code: string): PendingCheck {
  return {
    connectionId,
    code,
    state: 'waiting',
    report: undefined,
    refreshFault: undefined,
    nextRunAt: undefined,
  };
}

/** Returns the fault that the last check ended with. */
export function faultOf({ report, refreshFault }: PendingCheck): Fault | undefined {
  return refreshFault ?? (report?.outcome.ok === false ? report.outcome.fault : undefined);
}

/** Returns when a fault says to retry, epoch milliseconds; undefined where it does not say. */
export function retryAtOf(fault: Fault): number | undefined {
  return 'retryAt' in fault ? fault.retryAt : undefined;
}
