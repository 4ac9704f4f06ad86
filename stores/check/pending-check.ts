import type { CheckReport } from '#core/check/index';
import type { Fault } from '#core/marketplaces/index';

/** One check on the screen: one code at one connection, with its newest report. */
export interface PendingCheck {
  readonly connectionId: string;
  readonly code: string;
  /** `waiting` in the queue, `asking`, or `settled`. An earlier report is kept in the meantime. */
  state: 'waiting' | 'asking' | 'settled';
  report: CheckReport | undefined;
  /** Why refreshing failed; `report` keeps the old answer. */
  refreshFault: Fault | undefined;
  /** When it is repeated automatically, epoch milliseconds. */
  nextRunAt: number | undefined;
  /** The progress of a running search among the seller's items. */
  step?: CheckReport | undefined;
  /** Whether the agent stopped waiting for the latest request before it was answered. */
  isStopped?: boolean;
}

/** The checks of one code, one for each connection. */
export interface CheckEntry {
  readonly code: string;
  readonly pendingChecks: PendingCheck[];
  /** When the agent last looked it up, epoch milliseconds. */
  lookedUpAt?: number;
  /** The id of the latest question about it; absent if it was not checked yet. */
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

/** How many earlier codes are kept and shown besides the present ones. */
export const maxPast = 5;

/** Concatenates lists, removes repeated codes, and limits the number of codes. */
export function eachOnce<T extends { readonly code: string }>(
  ...lists: readonly (readonly T[])[]
): T[] {
  const codes = new Set<string>();
  return lists
    .flat()
    .filter(({ code }) => codes.size < codes.add(code).size)
    .slice(0, maxPast);
}
