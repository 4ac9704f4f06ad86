/** Describes the limit of one upstream. */
export interface PaceLimit {
  /** Requests that the upstream allows in a window; 2 or more. */
  readonly limit: number;
  readonly windowMs: number;
  /** Milliseconds after which an unused slot is dropped. */
  readonly deadlineMs: number;
}

/** Holds the pace of one upstream, shared by all instances and agents. Moments in epoch milliseconds. */
export interface PaceState {
  /** The theoretical arrival time of the generic cell rate algorithm (GCRA). */
  readonly tat: number;
  /** The same for bulk alone. */
  readonly bulkTat: number;
  /** The same for the asking agent alone. */
  readonly agentTat: number;
  /** Until then nobody may ask, since the upstream answered 429; 0 where it did not. */
  readonly heldUntil: number;
}

/** Describes who asks for a slot. */
export interface PaceRequest {
  readonly bulk: boolean;
  /** Agents that took a slot lately, the asking one included. */
  readonly activeAgents: number;
}

/** Grants a slot with the state to store, or names the moment to ask again; a refusal changes nothing. */
export type PaceDecision =
  | { readonly granted: true; readonly state: PaceState }
  | { readonly granted: false; readonly at: number; readonly because: 'pace' | 'held' };

/** Says for how long an agent counts as active after taking a slot, in milliseconds. */
export const activeAgentMs = 10_000;
/** Gives by how much a bulk request takes longer than another: bulk takes at most two thirds of the pace. */
export const bulkStretch = 1.5;

/**
 * Returns how many slots may be taken at once, and the time between two slots when nothing is saved up.
 *
 * In any time L the GCRA grants at most `L / step + burst` slots. Each is used within its deadline or dropped, so that the slots
 * used in a window were granted within window + deadline: with `step = (window + deadline) / (limit − burst)` these are at most `limit`.
 */
export function paceOf({ limit, windowMs, deadlineMs }: PaceLimit): {
  burst: number;
  stepMs: number;
} {
  const burst = Math.min(limit - 1, Math.max(2, Math.floor(limit / 6)));
  return { burst, stepMs: Math.ceil((windowMs + deadlineMs) / (limit - burst)) };
}

/**
 * Decides whether a slot is granted now.
 *
 * - Each active agent has an equal share of the burst and of the pace. Beyond it an agent borrows what nobody else needs: a slot
 *   when the whole burst is saved up.
 * - Bulk takes a slot only when the whole burst is saved up, so that it is one slot ahead at most, and at most two thirds of them.
 * @param now epoch milliseconds, read after the state was locked
 */
export function decideSlot(
  limit: PaceLimit,
  stored: PaceState,
  request: PaceRequest,
  now: number,
): PaceDecision {
  if (stored.heldUntil > now) return { granted: false, at: stored.heldUntil, because: 'held' };
  const { burst, stepMs } = paceOf(limit);
  const state = withoutClockJump(stored, burst, stepMs, now);
  const share = Math.max(1, Math.floor(burst / request.activeAgents));
  const agentStep = stepMs * request.activeAgents;
  const freeAt = state.tat - (burst - 1) * stepMs;
  const shareAt = Math.min(state.agentTat - (share - 1) * agentStep, state.tat);
  const at = request.bulk ? Math.max(state.tat, state.bulkTat) : Math.max(freeAt, shareAt);
  if (at > now) return { granted: false, at, because: 'pace' };
  return {
    granted: true,
    state: {
      heldUntil: 0,
      tat: Math.max(now, state.tat) + stepMs,
      bulkTat: request.bulk ? Math.max(now, state.bulkTat) + stepMs * bulkStretch : state.bulkTat,
      agentTat: request.bulk ? state.agentTat : Math.max(now, state.agentTat) + agentStep,
    },
  };
}

/** Limits each value to what slots granted up to now can lead to, so that a clock that was turned back blocks nobody for long. */
function withoutClockJump(state: PaceState, burst: number, stepMs: number, now: number): PaceState {
  return {
    ...state,
    tat: Math.min(state.tat, now + burst * stepMs),
    bulkTat: Math.min(state.bulkTat, now + bulkStretch * stepMs),
  };
}

/**
 * Returns the seconds for `Retry-After`: never earlier than `at`, and up to a quarter later, so that clients do not come back together.
 * @param random 0 to 1
 */
export function retryAfterSeconds(at: number, now: number, random: number): number {
  const seconds = Math.max(0, at - now) / 1000;
  return Math.max(1, Math.ceil(seconds + random * Math.max(1, seconds * 0.25)));
}
