import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  type AgentPace,
  activeAgentMs,
  createPaceLimiter,
  everybody,
  type PaceLimit,
  type SlotDecision,
  type PaceRequest,
  type UpstreamState,
} from '#relay/pace/pace';
import { retryAfterSeconds } from '#relay/http/messages';
import { mostInAnyWindow } from '#tests/relay/support/counting-upstream';

const minute: PaceLimit = { limit: 60, windowMs: 60_000, deadlineMs: 2_000 };
const alone: PaceRequest = { agent: 'ada', bulk: false };
const bulk: PaceRequest = { agent: 'ada', bulk: true };
const start = 1_780_000_000_000;

/** Holds the state of an upstream that nobody has asked. */
const freshUpstream: UpstreamState = {
  tat: 0,
  bulkTat: 0,
  heldUntil: 0,
  taken: [],
  failures: 0,
  failedBy: everybody,
  openUntil: 0,
  probeUntil: 0,
};

/** Keeps the state of an upstream between decisions, as a store does. */
class Upstream {
  state: UpstreamState = freshUpstream;
  readonly agents = new Map<string, AgentPace>();
  private settled: number[] = [];
  private readonly limit: PaceLimit;

  constructor(limit: PaceLimit = minute) {
    this.limit = limit;
  }

  ask(request: PaceRequest, now: number): SlotDecision {
    const active = [...this.agents.values()].filter(({ lastAt }) => lastAt > now - activeAgentMs);
    const limiter = createPaceLimiter(
      this.limit,
      this.state,
      this.agents,
      active.length,
      this.settled,
      now,
    );
    const decision = limiter.decide(request);
    if (decision.granted) {
      this.state = limiter.state();
      this.settled = [];
      for (const [agent, pace] of limiter.agents) this.agents.set(agent, pace);
    }
    return decision;
  }

  /** Tells that the reply to the request of a slot is there. */
  settle(slot: number): void {
    this.settled.push(slot);
  }
}

interface Load {
  readonly everyMs: number;
  readonly forMs: number;
  /**
   * After how long the request of the nth slot is sent, within the deadline, and after how long more its reply is
   * there.
   */
  readonly sentAfterMs?: (n: number) => number;
  readonly repliedAfterMs?: (n: number) => number;
}

/** Asks every `everyMs`. Returns when slots were granted, and when their requests arrived. */
function askAll(
  limit: PaceLimit,
  request: PaceRequest,
  { everyMs, forMs, sentAfterMs = () => 0, repliedAfterMs = () => 0 }: Load,
): { readonly granted: number[]; readonly arrived: number[] } {
  const upstream = new Upstream(limit);
  const granted: number[] = [];
  const arrived: number[] = [];
  let open: { readonly slot: number; readonly repliedAt: number }[] = [];
  for (let now = start; now <= start + forMs; now += everyMs) {
    for (const { slot, repliedAt } of open) if (repliedAt <= now) upstream.settle(slot);
    open = open.filter(({ repliedAt }) => repliedAt > now);
    const decision = upstream.ask(request, now);
    if (!decision.granted) continue;
    const n = granted.push(now);
    const arrives = now + sentAfterMs(n);
    arrived.push(arrives);
    open.push({ slot: decision.slot, repliedAt: arrives + repliedAfterMs(n) });
  }
  return { granted, arrived: arrived.toSorted((a, b) => a - b) };
}

describe('the pace', () => {
  test('keeps every window of the upstream within the limit, whenever requests arrive before the deadline and replies come', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 200 }),
        fc.integer({ min: 500, max: 60_000 }),
        fc.integer({ min: 0, max: 3_000 }),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(4_000)), {
          minLength: 1,
          maxLength: 20,
        }),
        fc.boolean(),
        (limit, windowMs, deadlineMs, times, isBulk) => {
          const of = (n: number): readonly [number, number] => times[n % times.length] ?? [0, 0];
          const { arrived } = askAll({ limit, windowMs, deadlineMs }, isBulk ? bulk : alone, {
            everyMs: Math.max(1, Math.floor(windowMs / limit / 3)),
            forMs: 3 * windowMs,
            sentAfterMs: (n) => Math.floor(of(n)[0] * deadlineMs),
            repliedAfterMs: (n) => of(n)[1],
          });
          expect(mostInAnyWindow(arrived, windowMs)).toBeLessThanOrEqual(limit);
        },
      ),
      // A slot that ends with a cell would be free in the very millisecond in which its window still runs.
      { numRuns: 100, examples: [[2, 504, 0, [[0, 0]], false]] },
    );
  });

  test.each([
    [{ limit: 30, windowMs: 10_000, deadlineMs: 2_000 }, 0.93],
    [{ limit: 60, windowMs: 60_000, deadlineMs: 2_000 }, 0.95],
    [{ limit: 300, windowMs: 30_000, deadlineMs: 2_000 }, 0.95],
  ])('gives what a seller allows where it replies in 200 ms: %o', (limit, share) => {
    const windows = 6;
    const { granted } = askAll(limit, alone, {
      everyMs: 10,
      forMs: windows * limit.windowMs,
      repliedAfterMs: () => 200,
    });
    const late = granted.filter((at) => at >= start + limit.windowMs);
    expect(late.length / limit.limit / (windows - 1)).toBeGreaterThan(share);
    // And never stops for long.
    const gaps = granted.slice(1).map((at, n) => at - (granted[n] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan((2 * limit.windowMs) / limit.limit);
  });

  test('lets a burst of almost a sixth through at once, and the rest evenly', () => {
    const { granted } = askAll(minute, alone, { everyMs: 10, forMs: 2_500 });
    const burst = granted.filter((at) => at < start + 500);
    expect(burst).toHaveLength(9);
    expect(granted).toHaveLength(11);
  });

  test('refuses without a change and names the moment to ask again', () => {
    const upstream = new Upstream();
    while (upstream.ask(alone, start).granted);
    const before = upstream.state;
    const decision = upstream.ask(alone, start);
    expect(decision).toEqual({ granted: false, reason: 'pace', at: expect.any(Number) as number });
    expect(upstream.state).toBe(before);
    const at = decision.granted ? 0 : decision.at;
    expect(upstream.ask(alone, at - 1).granted).toBe(false);
    expect(upstream.ask(alone, at).granted).toBe(true);
  });

  test('holds everybody back while the upstream said so', () => {
    const upstream = new Upstream();
    upstream.state = { ...freshUpstream, heldUntil: start + 5_000 };
    expect(upstream.ask(alone, start)).toEqual({
      granted: false,
      at: start + 5_000,
      reason: 'held',
    });
    expect(upstream.ask(alone, start + 5_000).granted).toBe(true);
  });

  test('is not blocked for long by a clock that was turned back', () => {
    const { state } = ((): Upstream => {
      const upstream = new Upstream();
      while (upstream.ask(alone, start + 3_600_000).granted);
      return upstream;
    })();
    const upstream = new Upstream();
    upstream.state = state;
    const decision = upstream.ask(alone, start);
    expect(decision.granted ? 0 : decision.at - start).toBeLessThanOrEqual(2_000);
  });
});

describe('bulk', () => {
  test('takes at most two thirds of the pace and no burst', () => {
    const { granted } = askAll(minute, bulk, { everyMs: 10, forMs: 60_000 });
    expect(granted.length).toBeLessThanOrEqual(41);
    expect(granted.length).toBeGreaterThan(30);
  });

  test('is one slot ahead at most: beside it a check gets a slot at once', () => {
    const upstream = new Upstream();
    for (let now = start; now < start + 60_000; now += 10) {
      upstream.ask(bulk, now);
      const beside = new Upstream();
      beside.state = upstream.state;
      expect(beside.ask(alone, now).granted).toBe(true);
    }
  });

  test('waits until the burst is saved up again, while a check waits for one slot', () => {
    const upstream = new Upstream();
    while (upstream.ask(alone, start).granted);
    const check = upstream.ask(alone, start);
    const job = upstream.ask(bulk, start);
    const wait = (decision: SlotDecision): number =>
      decision.granted ? 0 : (decision.at - start) / 1000;
    expect(wait(check)).toBeLessThan(2);
    expect(wait(job)).toBeGreaterThan(9);
  });
});

describe('agents', () => {
  test('beyond the share, an agent leaves the burst to the others', () => {
    const upstream = new Upstream();
    upstream.ask({ ...alone, agent: 'eve' }, start);
    let taken = 0;
    while (upstream.ask(alone, start).granted) taken += 1;
    expect(taken).toBe(4);
    expect(upstream.ask({ ...alone, agent: 'eve' }, start).granted).toBe(true);
  });

  test('borrow what nobody else needs', () => {
    const upstream = new Upstream();
    upstream.agents.set('ada', { tat: start + 60_000, lastAt: 0, today: 0 });
    upstream.agents.set('eve', { tat: 0, lastAt: start, today: 0 });
    expect(upstream.ask(alone, start).granted).toBe(true);
    expect(upstream.ask(alone, start).granted).toBe(false);
  });

  test('with a quota ask so often in a day, and again from midnight on (UTC)', () => {
    const upstream = new Upstream();
    const request = { ...alone, quota: 2 };
    const evening = Date.UTC(2026, 10, 15, 23, 59);
    const midnight = Date.UTC(2026, 10, 16);
    expect([upstream.ask(request, evening), upstream.ask(request, evening)]).toMatchObject([
      { granted: true },
      { granted: true },
    ]);
    expect(upstream.ask(request, evening)).toEqual({
      granted: false,
      reason: 'quota',
      at: midnight,
    });
    expect(upstream.ask({ ...request, agent: 'eve' }, evening).granted).toBe(true);
  });
});

describe('the breaker', () => {
  const failed = (times: number): UpstreamState => ({
    ...freshUpstream,
    failures: times,
    openUntil: times < 5 ? 0 : start + 10_000,
  });

  test('opens after five failures in a row, for ten seconds', () => {
    const upstream = new Upstream();
    upstream.state = failed(4);
    expect(upstream.ask(alone, start).granted).toBe(true);
    upstream.state = failed(5);
    const paused = { granted: false, reason: 'upstream-paused', at: start + 10_000 };
    expect(upstream.ask(alone, start + 9_999)).toEqual(paused);
  });

  test('then lets one try at a time, for fifteen seconds', () => {
    const upstream = new Upstream();
    upstream.state = failed(5);
    const now = start + 10_000;
    expect(upstream.ask(alone, now).granted).toBe(true);
    expect(upstream.ask(alone, now)).toMatchObject({ granted: false, at: now + 15_000 });
  });
});

test('what a clock that was ahead has written holds nobody up once it is right', () => {
  const ahead = start + 2 * 86_400_000;
  const late: readonly Partial<UpstreamState>[] = [
    { heldUntil: ahead + 60_000 },
    { failures: 5, openUntil: ahead + 10_000 },
    { failures: 5, probeUntil: ahead + 15_000 },
  ];
  for (const state of late) {
    const upstream = new Upstream();
    upstream.state = { ...freshUpstream, ...state };
    expect(upstream.ask(alone, start).granted).toBe(true);
    expect(upstream.state.heldUntil).toBe(0);
  }
});

describe('Retry-After', () => {
  test('is never earlier than the moment, and at least a second', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 600_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (wait, random) => {
          const seconds = retryAfterSeconds(start + wait, start, random);
          expect(seconds * 1000).toBeGreaterThanOrEqual(Math.max(1, wait));
          expect(seconds).toBeLessThanOrEqual(Math.ceil((wait / 1000) * 1.25) + 2);
        },
      ),
    );
  });
});
