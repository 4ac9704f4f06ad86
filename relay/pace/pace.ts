import { dayMs } from '#core/time/index';

export interface PaceLimit {
  /** Requests that the upstream allows in a window; 2 or more. */
  readonly limit: number;
  readonly windowMs: number;
  /** Milliseconds after which an unused slot is dropped. */
  readonly deadlineMs: number;
}

/** The number of taken slots by the latest arrival of their requests at the upstream, in ascending order. */
export type TakenSlots = readonly (readonly [arrivesBy: number, count: number])[];

/** The pace and health of one upstream, shared by all instances and agents. Moments are epoch milliseconds, 0 for none. */
export interface UpstreamState {
  /** The theoretical arrival time of the generic cell rate algorithm (GCRA). */
  readonly tat: number;
  /** The same for bulk calls only. */
  readonly bulkTat: number;
  /** No calls before this moment, because the upstream answered 429. */
  readonly heldUntil: number;
  readonly taken: TakenSlots;
  readonly failures: number;
  /** The agent whose calls failed; `everybody` if those of two agents or of the relay itself failed. */
  readonly failedBy: string;
  /** No call goes to the upstream before this moment, because too many have failed. */
  readonly openUntil: number;
  /** Until this moment one call tests whether the upstream is back. */
  readonly probeUntil: number;
}

export interface AgentPace {
  /** The theoretical arrival time of only this agent. */
  readonly tat: number;
  /** When the agent took the last slot; 0 for never. */
  readonly lastAt: number;
  /** How many slots an agent with a quota has taken today, at all upstreams. */
  readonly today: number;
}

export interface PaceRequest {
  readonly agent: string;
  readonly bulk: boolean;
  /** How many slots the agent may take in a day (UTC), at all upstreams; if absent, slots are not counted. */
  readonly quota?: number | undefined;
}

/** Either a granted slot, identified by `slot`, or the moment to ask again. */
export type SlotDecision =
  | { readonly granted: true; readonly slot: number }
  | {
      readonly granted: false;
      readonly at: number;
      readonly reason: 'pace' | 'held' | 'upstream-paused' | 'quota';
    };

/** A smaller difference, in milliseconds, only means that the clocks were read at different moments. */
const leastJumpMs = 100;

/** Shifts a state by a jump of the clock, as if the clock had always been that far ahead. */
export function afterJump(state: UpstreamState, jumpedMs: number): UpstreamState {
  if (jumpedMs < leastJumpMs) return state;
  return {
    ...state,
    heldUntil: state.heldUntil + jumpedMs,
    taken: state.taken.map(([at, count]) => [at + jumpedMs, count]),
  };
}

/** Decides about slots of one upstream, one after the other, at one moment. */
export interface PaceLimiter {
  decide(request: PaceRequest): SlotDecision;
  /** Returns the state to store after a slot was granted. */
  state(): UpstreamState;
  /** The agents who were granted a slot. */
  readonly agents: ReadonlyMap<string, AgentPace>;
}

/** How long an agent counts as active after taking a slot, in milliseconds. */
export const activeAgentMs = 10_000;
/** The factor by which bulk requests are slower than others: bulk takes at most two thirds of the pace. */
const bulkStretch = 1.5;
/** How many parts a window, plus the time that a slot may wait, is divided into for counting taken slots. */
const cells = 64;
/** A placeholder for all agents, which is not the id of one. */
export const everybody = '*';
/** After `failuresToOpen` consecutive failures no call goes to the upstream for `openMs`; then one may try for `probeMs`. */
export const breaker = { failuresToOpen: 5, openMs: 10_000, probeMs: 15_000 } as const;

/** A seller's `Retry-After` counts for a day at most, by a clock that may differ a little. */
const maxHoldMs = dayMs + 60_000;

export function dayAt(at: number): number {
  return Math.floor(at / dayMs);
}

/**
 * Creates the limiter.
 *
 * - **The limit.** A slot counts from its grant until a window after the last moment at which its request may arrive: the end of its
 *   deadline, or the moment at which the reply was known to be there. No more than the limit count at once, so that the upstream sees no
 *   more in any window: when the latest of a window's requests was granted, all others counted.
 * - **Evenly.** What is free is spread over the time until more comes free. An agent may take some at once, as in the GCRA: a burst of a
 *   sixth of the limit is saved up while nobody asks.
 * - **Shares.** Each agent who is active or waits has an equal share of the burst and of the pace. An agent whose share is used up gets a
 *   slot only when the whole burst is saved up.
 * - **Bulk** takes a slot only when the whole burst is saved up, so that it is one slot ahead at most, and at most two thirds of them.
 * - **Failures.** After five in a row nobody asks the upstream for ten seconds; then one at a time tries. If all are calls of one agent,
 *   whose code may be the cause, only that agent is held back.
 * @param known agents who have taken slots of this upstream before, including at least those who ask or wait
 * @param active how many agents have taken a slot in the last `activeAgentMs`
 * @param settled the distinct slots whose calls have ended
 * @param now epoch milliseconds, read at the same time as the state or after it
 * @param waiting agents who wait for a slot; each has its share before the first one
 * @param wallNow the same moment on the clock that determines days
 */
export function createPaceLimiter(
  limit: PaceLimit,
  stored: UpstreamState,
  known: ReadonlyMap<string, AgentPace | undefined>,
  active: number,
  settled: readonly number[],
  now: number,
  waiting: readonly string[] = [],
  wallNow: number = now,
): PaceLimiter {
  const cellMs = Math.ceil((limit.windowMs + limit.deadlineMs) / cells);
  const endOfCell = (at: number): number => Math.ceil(at / cellMs) * cellMs;
  const slot = endOfCell(now + limit.deadlineMs);
  /** A moment is a whole millisecond, which lasts until its end. */
  const freeAfter = (at: number): number => at + limit.windowMs + 1;
  const leastStepMs = limit.windowMs / limit.limit;
  const burst = Math.min(limit.limit - 1, Math.max(2, Math.floor(limit.limit / 6)));
  // An impossibly late moment was written by a clock that was ahead, so it counts as past.
  const unlessTooLate = (at: number, mostMs: number): number => (at > now + mostMs ? 0 : at);
  let state = {
    ...stored,
    taken: stillTaken(stored.taken, settled, endOfCell(now)),
    heldUntil: unlessTooLate(stored.heldUntil, maxHoldMs),
    openUntil: unlessTooLate(stored.openUntil, breaker.openMs),
    probeUntil: unlessTooLate(stored.probeUntil, breaker.probeMs),
  };
  let activeAgents = active;
  const agents = new Map<string, AgentPace>();

  /** Removes slots that no longer count, and counts settled slots as if their requests had arrived just now. */
  function stillTaken(taken: TakenSlots, ended: readonly number[], arrived: number): TakenSlots {
    const counts = new Map<number, number>();
    const add = (at: number, count: number): void => {
      counts.set(at, (counts.get(at) ?? 0) + count);
    };
    for (const [at, count] of taken) {
      // If the clock was turned back, there may be later moments.
      if (freeAfter(at) > now) add(Math.min(at, slot), count);
    }
    for (const at of ended) {
      if (at <= arrived || (counts.get(at) ?? 0) === 0) continue;
      add(at, -1);
      add(arrived, 1);
    }
    return [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b);
  }

  /** Returns how many slots are free, when the next one is, and the interval that spreads them evenly. */
  function room(): { readonly freeAt: number; readonly stepMs: number } {
    let free = limit.limit - state.taken.reduce((sum, [, count]) => sum + count, 0);
    let freeAt = free > 0 ? now : Infinity;
    let stepMs = leastStepMs;
    for (const [at, count] of state.taken) {
      const ends = freeAfter(at);
      // Requests that wait for their reply will have arrived when it comes.
      if (free > 0) stepMs = Math.max(stepMs, (Math.min(ends, now + limit.windowMs) - now) / free);
      free += count;
      if (free > 0) freeAt = Math.min(freeAt, ends);
    }
    return { freeAt, stepMs };
  }

  const paceOf = (agent: string): AgentPace =>
    agents.get(agent) ?? known.get(agent) ?? { tat: 0, lastAt: 0, today: 0 };
  const isActive = (agent: string): boolean => paceOf(agent).lastAt > now - activeAgentMs;
  const others = [...new Set(waiting)];

  function decide({ agent, bulk, quota }: PaceRequest): SlotDecision {
    const isFailing =
      state.failures >= breaker.failuresToOpen && [agent, everybody].includes(state.failedBy);
    const pausedUntil = Math.max(state.openUntil, state.probeUntil);
    if (isFailing && pausedUntil > now) {
      return { granted: false, at: pausedUntil, reason: 'upstream-paused' };
    }
    if (state.heldUntil > now) return { granted: false, at: state.heldUntil, reason: 'held' };
    const own = paceOf(agent);
    if (quota !== undefined && own.today >= quota) {
      return { granted: false, at: now - wallNow + (dayAt(wallNow) + 1) * dayMs, reason: 'quota' };
    }
    const nowActive = activeAgents + (isActive(agent) ? 0 : 1);
    const alsoWaiting = others.filter((other) => other !== agent && !isActive(other)).length;
    const sharing = Math.max(1, nowActive + alsoWaiting);
    const { freeAt, stepMs } = room();
    // A clock that was turned back must not block anybody for long.
    const tat = Math.min(state.tat, now + (burst - 1) * leastStepMs + stepMs);
    const bulkTat = Math.min(state.bulkTat, now + bulkStretch * stepMs);
    const share = Math.max(1, Math.floor(burst / sharing));
    const shareAt = Math.min(own.tat - (share - 1) * sharing * leastStepMs, tat);
    const burstAt = tat - (burst - 1) * leastStepMs;
    const paceAt = bulk ? Math.max(tat, bulkTat) : Math.max(burstAt, shareAt);
    const at = Math.max(freeAt, paceAt);
    if (at > now) return { granted: false, at, reason: 'pace' };
    activeAgents = nowActive;
    agents.set(agent, {
      tat: bulk ? own.tat : Math.max(now, own.tat) + stepMs * sharing,
      lastAt: now,
      today: own.today + Number(quota !== undefined),
    });
    state = {
      ...state,
      heldUntil: 0,
      tat: Math.max(now, tat) + stepMs,
      bulkTat: bulk ? Math.max(now, bulkTat) + stepMs * bulkStretch : state.bulkTat,
      taken: withOneMore(state.taken, slot),
      probeUntil: isFailing ? now + breaker.probeMs : state.probeUntil,
    };
    return { granted: true, slot };
  }

  return { decide, state: () => state, agents };
}

/** @param at not earlier than the last one */
function withOneMore(taken: TakenSlots, at: number): TakenSlots {
  const last = taken.at(-1);
  if (last?.[0] !== at) return [...taken, [at, 1]];
  return [...taken.slice(0, -1), [at, last[1] + 1]];
}
