/** Holds what is known of an upstream's health. Moments in epoch milliseconds, 0 for none. */
export interface BreakerState {
  /** Failures in a row. */
  readonly failures: number;
  readonly openUntil: number;
  /** Until then one call is trying whether the upstream is back. */
  readonly probeUntil: number;
}

/** Holds the state of an upstream that has not failed. */
export const closedBreaker: BreakerState = { failures: 0, openUntil: 0, probeUntil: 0 };

/** Limits the upstream: after so many failures in a row no call goes to the upstream, for `openMs`; then one may try, and has `probeMs`. */
export const breakerLimits = { failuresToOpen: 5, openMs: 10_000, probeMs: 15_000 } as const;
const { failuresToOpen, openMs, probeMs } = breakerLimits;

/** Lets a call pass, with the state to store where it is the probe, or names the moment to ask again. */
export type BreakerDecision<State> =
  | { readonly passes: true; readonly state: State }
  | { readonly passes: false; readonly at: number };

/** Decides whether a call may go to the upstream. After five failures in a row none may for ten seconds; then one at a time tries. */
export function decidePassage<State extends BreakerState>(
  state: State,
  now: number,
): BreakerDecision<State> {
  if (state.failures < failuresToOpen) return { passes: true, state };
  const at = Math.max(state.openUntil, state.probeUntil);
  if (at > now) return { passes: false, at };
  return { passes: true, state: { ...state, probeUntil: now + probeMs } };
}

/** Returns the state after a call. `down`: no connection, no whole reply, or a gateway's 502, 503 or 504. */
export function afterCall(state: BreakerState, health: 'up' | 'down', now: number): BreakerState {
  if (health === 'up') return closedBreaker;
  const failures = state.failures + 1;
  return { failures, openUntil: failures >= failuresToOpen ? now + openMs : 0, probeUntil: 0 };
}
