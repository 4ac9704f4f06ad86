import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { durationBetween, durationOf } from '#core/time/duration';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const at = (text: string): number => Date.parse(text);

describe('between two moments', () => {
  test.each([
    ['2026-11-03T00:00:00Z', '2026-11-03T00:00:59.999Z', 0, 'minute'],
    ['2026-11-03T00:00:00Z', '2026-11-03T00:01:00Z', 1, 'minute'],
    ['2026-11-03T00:00:00Z', '2026-11-03T01:59:59Z', 119, 'minute'],
    ['2026-11-03T00:00:00Z', '2026-11-03T02:00:00Z', 2, 'hour'],
    ['2026-11-03T00:00:00Z', '2026-11-04T23:59:59Z', 47, 'hour'],
    ['2026-11-03T00:00:00Z', '2026-11-05T00:00:00Z', 2, 'day'],
    ['2026-11-03T12:00:00Z', '2027-01-03T11:59:59Z', 60, 'day'],
    ['2026-11-03T12:00:00Z', '2027-01-03T12:00:00Z', 2, 'month'],
    ['2026-11-03T00:00:00Z', '2027-03-12T00:00:00Z', 4, 'month'],
    ['2026-12-31T00:00:00Z', '2027-02-27T23:59:59Z', 58, 'day'],
    ['2026-12-31T00:00:00Z', '2027-02-28T00:00:00Z', 2, 'month'],
    ['2027-12-31T00:00:00Z', '2028-02-29T00:00:00Z', 2, 'month'],
    ['2026-11-03T00:00:00Z', '2028-11-02T23:59:59Z', 23, 'month'],
    ['2026-11-03T00:00:00Z', '2028-11-03T00:00:00Z', 2, 'year'],
    ['2024-02-29T00:00:00Z', '2026-02-28T00:00:00Z', 2, 'year'],
  ])('%s and %s: %i %s', (from, to, count, unit) => {
    expect(durationBetween(at(from), at(to))).toEqual({ unit, count });
    expect(durationBetween(at(to), at(from))).toEqual({ unit, count });
  });

  test('a later moment is never a shorter span from the same start', () => {
    const rank = { minute: 0, hour: 1, day: 2, month: 3, year: 4 };
    const moments = fc.date({
      min: new Date(0),
      max: new Date(at('2100-01-01')),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, fc.nat(day * 4000), fc.nat(day * 40), (start, length, more) => {
        const from = start.getTime();
        const one = durationBetween(from, from + length);
        const other = durationBetween(from, from + length + more);
        expect(rank[other.unit]).toBeGreaterThanOrEqual(rank[one.unit]);
        if (one.unit === other.unit) expect(other.count).toBeGreaterThanOrEqual(one.count);
      }),
    );
  });
});

test.each([
  [0, 0, 'minute'],
  [-90 * minute, 90, 'minute'],
  [3 * hour, 3, 'hour'],
  [2 * day, 2, 'day'],
  [60 * day, 60, 'day'],
  [61 * day, 2, 'month'],
  [365 * day, 11, 'month'],
  [366 * day, 12, 'month'],
  [731 * day, 2, 'year'],
])('%i ms are %i %s', (ms, count, unit) => {
  expect(durationOf(ms)).toEqual({ unit, count });
});
