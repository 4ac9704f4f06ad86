import { describe, expect, test } from 'vitest';

import { findingOf, type Goal, type Measurement, median, tableOf } from '#bench/measurement';

const measurement = (goal: Goal): Measurement => ({
  name: 'popup',
  limit: 'bare popup',
  goal,
  measure: () => Promise.reject(new Error('not measured here')),
});

const stateFor = (goal: Goal, limit: number, ours: number): string =>
  findingOf(measurement(goal), [{ limit: [limit], ours: [ours] }]).state;

describe('findings', () => {
  test('the median of an odd and of an even number of samples', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(() => median([])).toThrow();
  });

  test('a ratio at the goal is met, above it missed', () => {
    expect(stateFor({ ratio: 1.5 }, 10, 15)).toBe('met');
    expect(stateFor({ ratio: 1.5 }, 10, 15.1)).toBe('missed');
  });

  test('the larger of ratio and slack counts', () => {
    expect(stateFor({ ratio: 1.3, slackMs: 15 }, 2, 17)).toBe('met');
    expect(stateFor({ ratio: 1.3, slackMs: 15 }, 2, 17.1)).toBe('missed');
    expect(stateFor({ ratio: 1.3, slackMs: 15 }, 100, 130)).toBe('met');
  });

  test('of several runs the median ratio counts, and how far the runs lie apart', () => {
    const runs = [12, 30, 13].map((ours) => ({ limit: [10], ours: [ours] }));
    const found = findingOf(measurement({ ratio: 1.4 }), runs);
    expect(found).toMatchObject({ ratios: [1.2, 1.3, 3], spread: 2.5, state: 'met' });
    expect(findingOf(measurement({ ratio: 1.4, spread: 1.5 }), runs).state).toBe('missed');
  });

  test('without a goal it is only reported', () => {
    expect(stateFor({}, 1, 100)).toBe('reported');
  });

  test('the table has a row for each finding, under one head', () => {
    const finding = findingOf(measurement({ ratio: 2 }), [{ limit: [10], ours: [15] }]);
    const lines = tableOf([finding, finding]).split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[2]).toContain(
      '| bare popup | ≤ 2.00 | 10.0, 15.0 ms | 1.50 (1.50 to 1.50) | 1.00   | met   |',
    );
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });
});
