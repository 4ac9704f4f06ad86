import fc from 'fast-check';
import { expect, test } from 'vitest';

import { createZone, dayAt, isOtherClockThanUtc, isOtherDayThanUtc } from '#core/time/zone';

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
