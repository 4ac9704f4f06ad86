import type { CheckReport } from '#core/check/index';
import type { Fault } from '#core/marketplaces/index';

/** One check on a screen: one code at one connection, with its newest report. */
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
  /** How far a search among the seller's items has come, while it is still under way. */
  step?: CheckReport | undefined;
  /** The agent stopped waiting before there was an answer. */
  isStopped?: boolean;
}

/** The checks of one code, one for each connection. */
export interface CheckEntry {
  readonly code: string;
  readonly pendingChecks: PendingCheck[];
  /** When the agent looked it up last, epoch milliseconds. */
  lookedUpAt?: number;
  /** The id of the latest question about it; absent until it was asked. */
  question?: string;
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

export function faultOf({ report, refreshFault }: PendingCheck): Fault | undefined {
  return refreshFault ?? (report?.outcome.ok === false ? report.outcome.fault : undefined);
}

export function hasReport({ pendingChecks }: CheckEntry): boolean {
  return pendingChecks.some(({ report }) => report !== undefined);
}

/** How many codes are kept and shown beside the present ones. */
export const maxPast = 5;

/** Joins lists to one with each code once, where it stands first, and no more codes than are kept. */
export function eachOnce<T extends { readonly code: string }>(
  ...lists: readonly (readonly T[])[]
): T[] {
  const codes = new Set<string>();
  return lists
    .flat()
    .filter(({ code }) => codes.size < codes.add(code).size)
    .slice(0, maxPast);
}
