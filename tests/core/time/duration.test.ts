import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  createZone,
  dayAt,
  durationBetween,
  isOtherClockThanUtc,
  isOtherDayThanUtc,
} from '#core/time/duration';

describe('duration', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const day = 24 * hour;
  const at = (text: string): number => Date.parse(text);
  const utc = createZone('UTC');
  const [east, west] = [createZone('Pacific/Kiritimati'), createZone('America/Los_Angeles')];

  describe('between two moments', () => {
    test.each([
      ['2026-11-03T00:00:00Z', '2026-11-03T00:00:59.999Z', 0, 'minute'],
      ['2026-11-03T00:00:00Z', '2026-11-03T00:01:00Z', 1, 'minute'],
      ['2026-11-03T00:00:00Z', '2026-11-03T01:59:59Z', 119, 'minute'],
      ['2026-11-03T00:00:00Z', '2026-11-03T02:00:00Z', 2, 'hour'],
      ['2026-11-03T00:00:00Z', '2026-11-03T02:29:59Z', 2, 'hour'],
      ['2026-11-03T00:00:00Z', '2026-11-03T23:58:00Z', 24, 'hour'],
      ['2026-11-03T00:00:00Z', '2026-11-04T23:29:59Z', 47, 'hour'],
      ['2026-11-03T00:00:00Z', '2026-11-04T23:30:00Z', 2, 'day'],
      ['2026-11-03T00:00:00Z', '2026-11-05T00:00:00Z', 2, 'day'],
      ['2026-11-03T23:00:00Z', '2026-11-08T01:00:00Z', 5, 'day'],
      ['2026-11-03T01:00:00Z', '2026-11-08T23:00:00Z', 5, 'day'],
      ['2026-11-03T12:00:00Z', '2027-01-02T23:59:59Z', 60, 'day'],
      ['2026-11-03T12:00:00Z', '2027-01-03T00:00:00Z', 2, 'month'],
      ['2026-11-03T00:00:00Z', '2027-03-12T00:00:00Z', 4, 'month'],
      ['2026-12-31T00:00:00Z', '2027-02-27T23:59:59Z', 58, 'day'],
      ['2026-12-31T00:00:00Z', '2027-02-28T00:00:00Z', 2, 'month'],
      ['2027-12-31T00:00:00Z', '2028-02-29T00:00:00Z', 2, 'month'],
      ['2026-11-03T00:00:00Z', '2028-11-02T23:59:59Z', 23, 'month'],
      ['2026-11-03T00:00:00Z', '2028-11-03T00:00:00Z', 2, 'year'],
      ['2024-02-29T00:00:00Z', '2026-02-28T00:00:00Z', 2, 'year'],
    ])('%s and %s: %i %s', (from, to, count, unit) => {
      expect(durationBetween(at(from), at(to), utc)).toEqual({ unit, count });
      expect(durationBetween(at(to), at(from), utc)).toEqual({ unit, count });
    });

    test.each([
      // In Kiritimati the 4th to the 9th, in Los Angeles the 3rd to the 7th, in UTC the 3rd to the 8th.
      ['2026-11-03T20:00:00Z', '2026-11-08T05:00:00Z', [4, 5, 4], 'day'],
      ['2026-11-03T05:00:00Z', '2026-11-08T12:00:00Z', [6, 5, 6], 'day'],
      ['2026-12-31T20:00:00Z', '2027-03-01T05:00:00Z', [2, 2, 2], 'month'],
      ['2026-11-01T05:00:00Z', '2027-01-01T12:00:00Z', [2, 2, 2], 'month'],
    ] as const)('%s and %s count by the calendar of each zone', (from, to, counts, unit) => {
      const count = [east, utc, west].map((zone) => durationBetween(at(from), at(to), zone));
      expect(count).toEqual(counts.map((one) => ({ unit, count: one })));
    });

    test('of two days with one midnight between them, where the clocks go back, none is lost', () => {
      // The 31st at 0:30 and the 1st at 23:30, 48 hours later.
      expect(durationBetween(at('2026-10-31T07:30:00Z'), at('2026-11-02T07:30:00Z'), west)).toEqual(
        {
          unit: 'day',
          count: 2,
        },
      );
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
          const one = durationBetween(from, from + length, west);
          const other = durationBetween(from, from + length + more, west);
          expect(rank[other.unit]).toBeGreaterThanOrEqual(rank[one.unit]);
          if (one.unit === other.unit) expect(other.count).toBeGreaterThanOrEqual(one.count);
        }),
      );
    });
  });
});

describe('zone', () => {
  const at = (text: string): number => Date.parse(text);
  const zones = {
    utc: createZone('UTC'),
    east: createZone('Pacific/Kiritimati'),
    west: createZone('America/Los_Angeles'),
    half: createZone('Asia/Kolkata'),
  };

  test.each([
    ['utc', '2027-03-12T22:05:09Z', '2027-03-12T22:05:09Z'],
    ['east', '2027-03-12T22:05:09Z', '2027-03-13T12:05:09Z'],
    ['west', '2027-03-12T22:05:09Z', '2027-03-12T14:05:09Z'],
    // The night in which the clocks go forward.
    ['west', '2027-03-14T09:59:59Z', '2027-03-14T01:59:59Z'],
    ['west', '2027-03-14T10:00:00Z', '2027-03-14T03:00:00Z'],
    ['half', '2027-03-12T22:05:09Z', '2027-03-13T03:35:09Z'],
    ['east', '0050-06-01T00:00:00Z', '0050-05-31T13:30:40Z'],
  ] as const)('clocks in %s show at %s what UTC shows at %s', (zone, moment, shown) => {
    expect(new Date(zones[zone].clockAt(at(moment))).toISOString()).toBe(
      new Date(shown).toISOString(),
    );
  });

  test('midnight is the first moment of a day', () => {
    expect(dayAt(0, zones.utc)).toBe(0);
    expect(dayAt(-1, zones.utc)).toBe(-1);
    expect(dayAt(at('2027-03-12T10:00:00Z'), zones.east)).toBe(
      dayAt(at('2027-03-13T09:59:59Z'), zones.east),
    );
  });

  test.each([
    ['utc', '2027-03-12T23:30:00Z', false, false],
    ['east', '2027-03-12T23:30:00Z', true, true],
    ['east', '2027-03-12T09:30:00Z', false, true],
    ['west', '2027-03-12T07:30:00Z', true, true],
    ['west', '2027-03-12T23:30:00Z', false, true],
  ] as const)('in %s at %s: another day %s, another clock %s', (zone, moment, day, clock) => {
    expect(isOtherDayThanUtc(at(moment), zones[zone])).toBe(day);
    expect(isOtherClockThanUtc(at(moment), zones[zone])).toBe(clock);
  });

  test('a clock is never more than 14 hours from UTC', () => {
    const moments = fc.date({
      min: new Date('1970-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, fc.constantFrom(...Object.values(zones)), (moment, zone) => {
        const shift = zone.clockAt(Math.floor(moment.getTime() / 1000) * 1000) - moment.getTime();
        expect(Math.abs(shift)).toBeLessThanOrEqual(14 * 3_600_000 + 1000);
      }),
    );
  });
});
