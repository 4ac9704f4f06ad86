import type { Fault } from '#core/seller/fault';
import type { RememberedReport } from '#core/history/entry';

/** One question on a screen: one code at one connection, and what came of it. */
export interface Slip {
  readonly connectionId: string;
  readonly code: string;
  /** `waiting` for its turn, `asking`, or `settled`. The report from before stays meanwhile. */
  state: 'waiting' | 'asking' | 'settled';
  report: RememberedReport | undefined;
  /** When it will be asked again by itself, epoch milliseconds. */
  againAt: number | undefined;
}

export function blankSlip(connectionId: string, code: string): Slip {
  return { connectionId, code, state: 'waiting', report: undefined, againAt: undefined };
}

/** When a fault says it is worth asking again; undefined where it does not say. */
export function retryAtOf(fault: Fault): number | undefined {
  if (fault.kind === 'rate-limited' || fault.kind === 'server-error') return fault.retryAt;
  return undefined;
}

/** A hit leads; then what is not known yet or could not be asked; a plain not-found comes last. */
export function hitsFirst(slips: readonly Slip[]): Slip[] {
  return slips.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ report }: Slip): number {
  if (report?.outcome.ok !== true) return 1;
  return report.outcome.value.kind === 'purchase' ? 0 : 2;
}
