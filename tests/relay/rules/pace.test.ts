import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  decideSlot,
  type PaceLimit,
  paceOf,
  type PaceRequest,
  type PaceState,
  retryAfterSeconds,
} from '#relay/rules/pace';
import { mostInAnyWindow } from '#tests/relay/support/counting-upstream';

const minute: PaceLimit = { limit: 60, windowMs: 60_000, deadlineMs: 2_000 };
const fresh: PaceState = { tat: 0, bulkTat: 0, agentTat: 0, heldUntil: 0 };
const alone: PaceRequest = { bulk: false, activeAgents: 1 };
const start = 1_000_000;

/** Asks every `everyMs`, and returns when slots were granted. */
function grants(
  limit: PaceLimit,
  request: PaceRequest,
  { everyMs, forMs }: { readonly everyMs: number; readonly forMs: number },
): number[] {
  const granted: number[] = [];
  let state = fresh;
  for (let now = start; now <= start + forMs; now += everyMs) {
    const decision = decideSlot(limit, state, request, now);
    if (!decision.granted) continue;
    granted.push(now);
    state = decision.state;
  }
  return granted;
}

describe('the pace', () => {
  test('keeps every sliding window within the limit, whenever each slot is used before its deadline', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 200 }),
        fc.integer({ min: 500, max: 60_000 }),
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 0, max: 60_000 }),
        (limit, windowMs, deadlineMs, offset) => {
          const pace = { limit, windowMs, deadlineMs };
          const everyMs = Math.max(1, Math.floor(paceOf(pace).stepMs / 3));
          const granted = grants(pace, alone, { everyMs, forMs: 3 * windowMs });
          // As many slots as can be are used at one moment.
          const together = start + (offset % (2 * windowMs));
          const used = granted.map((at) => Math.max(at, Math.min(together, at + deadlineMs)));
          expect(mostInAnyWindow(used, windowMs)).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('is exactly the limit in the worst window, so that it wastes nothing', () => {
    const granted = grants(minute, alone, { everyMs: 1, forMs: 90_000 });
    const worst = start + minute.deadlineMs;
    const used = granted.map((at) => Math.max(at, Math.min(worst, at + minute.deadlineMs)));
    expect(mostInAnyWindow(used, minute.windowMs)).toBe(60);
  });

  test('lets a burst through at once, then one a step', () => {
    const { burst, stepMs } = paceOf(minute);
    expect([burst, stepMs]).toEqual([10, 1_240]);
    const granted = grants(minute, alone, { everyMs: 10, forMs: 2 * stepMs });
    expect(granted).toHaveLength(1 + burst - 1 + 2);
  });

  test('refuses without a change and names the moment to ask again', () => {
    const decision = decideSlot(minute, { ...fresh, tat: start + 12_000 }, alone, start);
    expect(decision).toEqual({ granted: false, because: 'pace', at: expect.any(Number) as number });
    const at = decision.granted ? 0 : decision.at;
    expect(decideSlot(minute, { ...fresh, tat: start + 12_000 }, alone, at).granted).toBe(true);
  });

  test('holds everybody back while the upstream said so', () => {
    const held = { ...fresh, heldUntil: start + 5_000 };
    expect(decideSlot(minute, held, alone, start)).toEqual({
      granted: false,
      at: start + 5_000,
      because: 'held',
    });
    expect(decideSlot(minute, held, alone, start + 5_000).granted).toBe(true);
  });

  test('is not blocked for long by a clock that was turned back', () => {
    const ahead = { ...fresh, tat: start + 3_600_000 };
    const decision = decideSlot(minute, ahead, alone, start);
    expect(decision.granted ? 0 : decision.at - start).toBeLessThanOrEqual(paceOf(minute).stepMs);
  });
});

describe('bulk', () => {
  const bulk: PaceRequest = { bulk: true, activeAgents: 1 };

  test('takes at most two thirds of the pace and no burst', () => {
    const granted = grants(minute, bulk, { everyMs: 10, forMs: 60_000 });
    expect(granted.length).toBeLessThanOrEqual(Math.ceil((60_000 / 1_240) * (2 / 3)) + 1);
    expect(granted.length).toBeGreaterThan(30);
  });

  test('is one slot ahead at most: beside it a check gets a slot at once', () => {
    let state = fresh;
    for (let now = start; now < start + 60_000; now += 10) {
      const decision = decideSlot(minute, state, bulk, now);
      if (decision.granted) state = decision.state;
      expect(decideSlot(minute, state, alone, now).granted).toBe(true);
    }
  });
});

test('bulk waits until the burst is saved up again, while a check waits for one slot', () => {
  const { burst, stepMs } = paceOf(minute);
  let state = fresh;
  for (let n = 0; n < burst; n += 1) {
    const decision = decideSlot(minute, state, alone, start);
    if (decision.granted) state = decision.state;
  }
  const later = start + stepMs;
  expect(decideSlot(minute, state, alone, later).granted).toBe(true);
  expect(decideSlot(minute, state, { ...alone, bulk: true }, later)).toEqual({
    granted: false,
    because: 'pace',
    at: start + burst * stepMs,
  });
});

describe('agents', () => {
  test('beyond the share, an agent leaves the burst to the others', () => {
    const two: PaceRequest = { bulk: false, activeAgents: 2 };
    let state = fresh;
    let taken = 0;
    for (;;) {
      const decision = decideSlot(minute, state, two, start);
      if (!decision.granted) break;
      state = decision.state;
      taken += 1;
    }
    expect(taken).toBe(5);
    expect(decideSlot(minute, { ...state, agentTat: 0 }, two, start).granted).toBe(true);
  });

  test('borrows what nobody else needs', () => {
    const two: PaceRequest = { bulk: false, activeAgents: 2 };
    const over = { ...fresh, agentTat: start + 60_000 };
    expect(decideSlot(minute, over, two, start).granted).toBe(true);
  });
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
