import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createInteractivePriority } from '#background/seller/interactive-priority';
import { takeSlot } from '#background/seller/pacing';
import type { Pace } from '#adapters/storage/session-cache';

const minute = 60_000;

describe('the pace of a connection', () => {
  it('lets as many requests out at once as may go out in a minute', () => {
    let pace: Pace | undefined;
    for (let sent = 0; sent < 60; sent += 1) {
      const turn = takeSlot(pace, 60, 1000 + sent);
      if (!turn.granted) throw new Error('It was not its turn.');
      pace = turn.pace;
    }
    expect(takeSlot(pace, 60, 2000)).toMatchObject({ granted: false, by: 'pacing' });
  });

  it('names a moment at which it does let the next one out', () => {
    const pace = { startedAt: 5000, sent: 3 };
    const turn = takeSlot(pace, 3, 6000);
    if (turn.granted) throw new Error('It was its turn.');
    expect(turn.retryAt).toBeGreaterThan(5000 + minute);
    expect(takeSlot(pace, 3, turn.retryAt - 1).granted).toBe(false);
    expect(takeSlot(pace, 3, turn.retryAt)).toEqual({
      granted: true,
      pace: { startedAt: turn.retryAt, sent: 1 },
    });
  });

  it('waits for the moment the server named, whatever is left of the minute', () => {
    const pace = { startedAt: 0, sent: 1, waitUntil: 10 * minute };
    expect(takeSlot(pace, 60, 10 * minute - 1)).toEqual({
      granted: false,
      retryAt: 10 * minute,
      by: 'server',
    });
    expect(takeSlot(pace, 60, 10 * minute).granted).toBe(true);
  });

  it('does not wait for ever when the clock was turned back', () => {
    const ahead = { startedAt: 100 * minute, sent: 60 };
    expect(takeSlot(ahead, 60, 0).granted).toBe(true);
    expect(takeSlot({ ...ahead, waitUntil: 101 * minute }, 60, 0)).toEqual({
      granted: true,
      pace: { startedAt: 0, sent: 1 },
    });
  });

  it('keeps its window and the moment the server named when the clock was corrected', () => {
    const pace = { startedAt: 5000, sent: 1 };
    expect(takeSlot(pace, 2, 4000)).toEqual({ granted: true, pace: { startedAt: 5000, sent: 2 } });
    expect(takeSlot({ ...pace, waitUntil: 10 * minute }, 2, 4000)).toEqual({
      granted: false,
      retryAt: 10 * minute,
      by: 'server',
    });
  });

  it('never lets more out in one minute of its own counting than it may', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat({ max: 20_000 }), { maxLength: 200 }),
        (limit, gaps) => {
          let now = 0;
          let pace: Pace | undefined;
          const out = new Map<number, number>();
          for (const gap of gaps) {
            now += gap;
            const turn = takeSlot(pace, limit, now);
            if (!turn.granted) continue;
            pace = turn.pace;
            out.set(pace.startedAt, (out.get(pace.startedAt) ?? 0) + 1);
          }
          for (const sent of out.values()) expect(sent).toBeLessThanOrEqual(limit);
          const starts = [...out.keys()];
          for (const [index, start] of starts.slice(1).entries())
            expect(start - (starts[index] ?? 0)).toBeGreaterThanOrEqual(minute);
        },
      ),
    );
  });
});

test('whoever waits goes on when no interactive task runs, and not before', async () => {
  const priority = createInteractivePriority();
  await priority.whenIdle();
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const seen: string[] = [];
  const running = [
    priority.run(() => first.promise).then((value) => seen.push(value)),
    priority.run(() => second.promise).catch(() => seen.push('failed')),
  ];
  const waiting = [1, 2].map(() => priority.whenIdle().then(() => seen.push('idle')));
  first.resolve('first');
  await running[0];
  expect(seen).toEqual(['first']);
  second.reject(new Error('It failed.'));
  await Promise.all([...running, ...waiting]);
  expect(seen.toSorted()).toEqual(['failed', 'first', 'idle', 'idle']);
  await priority.whenIdle();
});
