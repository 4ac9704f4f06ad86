import { describe, expect, test } from 'vitest';

import { findingOf, median, tableOf } from '#bench/finding';
import type { Aim, Measurement } from '#bench/measurement';

const measurement = (aim: Aim): Measurement => ({
  name: 'popup',
  limit: 'bare popup',
  aim,
  measure: () => Promise.reject(new Error('not measured here')),
});

const verdictFor = (aim: Aim, limit: number, ours: number): string =>
  findingOf(measurement(aim), { limit: [limit], ours: [ours] }).verdict;

describe('findings', () => {
  test('the median of an odd and of an even number of samples', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(() => median([])).toThrow();
  });

  test('a ratio at the aim holds, above it misses', () => {
    expect(verdictFor({ ratio: 1.5 }, 10, 15)).toBe('holds');
    expect(verdictFor({ ratio: 1.5 }, 10, 15.1)).toBe('misses');
  });

  test('the larger of ratio and slack counts', () => {
    expect(verdictFor({ ratio: 1.3, slackMs: 15 }, 2, 17)).toBe('holds');
    expect(verdictFor({ ratio: 1.3, slackMs: 15 }, 2, 17.1)).toBe('misses');
    expect(verdictFor({ ratio: 1.3, slackMs: 15 }, 100, 130)).toBe('holds');
  });

  test('without an aim it is only reported', () => {
    expect(verdictFor({}, 1, 100)).toBe('reported');
  });

  test('the table has a row for each finding, under one head', () => {
    const finding = findingOf(measurement({ ratio: 2 }), { limit: [10], ours: [15] });
    const lines = tableOf([finding, finding]).split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[2]).toContain('| 10.0 ms | 15.0 ms | 1.50  | ≤ 2.00 | holds');
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });
});
