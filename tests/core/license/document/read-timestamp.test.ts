import fc from 'fast-check';
import { expect, it } from 'vitest';

import { fail, succeed } from '#core/result';
import { readMoment } from '#core/time/index';

it.each([
  ['2026-11-03T12:00:00Z', Date.UTC(2026, 10, 3, 12)],
  ['2026-11-03T12:00:00.250Z', Date.UTC(2026, 10, 3, 12, 0, 0, 250)],
  ['2026-11-03T12:00:00.123456Z', Date.UTC(2026, 10, 3, 12, 0, 0, 123)],
  ['2026-11-03T12:00:00+02:00', Date.UTC(2026, 10, 3, 10)],
  ['2026-11-03T12:00:00-0530', Date.UTC(2026, 10, 3, 17, 30)],
  ['2026-11-03t12:00z', Date.UTC(2026, 10, 3, 12)],
  ['2026-11-03 12:00:00', Date.UTC(2026, 10, 3, 12)],
  ['2026-11-03', Date.UTC(2026, 10, 3)],
  ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
  ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
  [1_793_707_200, 1_793_707_200_000],
  [1_793_707_200.5, 1_793_707_200_500],
  ['1793707200', 1_793_707_200_000],
  [0, 0],
  [' 2026-11-03T12:00:00Z\n', Date.UTC(2026, 10, 3, 12)],
  ['2026-11-03T12:00:00,5Z', Date.UTC(2026, 10, 3, 12, 0, 0, 500)],
  ['2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1)],
  ['2026-12-31T23:59:59Z', Date.UTC(2026, 11, 31, 23, 59, 59)],
  ['2026-11-03T12:00:00+23:59', Date.UTC(2026, 10, 2, 12, 1)],
  ['1970-01-01T00:00:00Z', 0],
  ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
  ['179370720', 179_370_720_000],
  ['1793707200.123456789', 1_793_707_200_123],
  [253_402_300_799, 253_402_300_799_000],
] as const)('reads %j', (value, moment) => {
  expect(readMoment(value)).toEqual(succeed(moment));
});

it.each([
  ['tomorrow', 'unreadable'],
  ['', 'unreadable'],
  ['2026-00-03', 'unreadable'],
  ['2026-11-00', 'unreadable'],
  ['2026-11-03T12:00:60Z', 'unreadable'],
  ['2026-11-03T12:00:00+00:60', 'unreadable'],
  ['2026-11-03T12:00:00+24:00', 'unreadable'],
  ['x2026-11-03', 'unreadable'],
  ['2026-11-03x', 'unreadable'],
  ['17937072', 'unreadable'],
  ['x1793707200', 'unreadable'],
  ['1793707200x', 'unreadable'],
  ['1793707200.', 'unreadable'],
  ['1793707200000000', 'unreadable'],
  ['2026-11-03T12:00:00.1234567890Z', 'unreadable'],
  ['x+010000-01-01', 'unreadable'],
  ['-010000-01-01', 'out-of-range'],
  [253_402_300_800, 'out-of-range'],
  ['2026-13-01T00:00:00Z', 'unreadable'],
  ['2026-02-29T00:00:00Z', 'unreadable'],
  ['2026-11-31', 'unreadable'],
  ['2026-11-03T24:00:00Z', 'unreadable'],
  ['2026-11-03T12:60:00Z', 'unreadable'],
  ['2026-11-03T12:00:00+25:00', 'unreadable'],
  ['03/11/2026', 'unreadable'],
  [null, 'unreadable'],
  [true, 'unreadable'],
  [undefined, 'unreadable'],
  [-1, 'out-of-range'],
  [1_793_707_200_000_000, 'out-of-range'],
  [1_793_707_200_000, 'out-of-range'],
  ['+010000-01-01T00:00:00Z', 'out-of-range'],
  ['1969-12-31T23:59:59Z', 'out-of-range'],
  ['0075-01-01T00:00:00Z', 'out-of-range'],
] as const)('does not read %j: %s', (value, fault) => {
  expect(readMoment(value)).toEqual(fail(fault));
});

it('reads every moment that ECMAScript writes, in range', () => {
  const date = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(date, (moment) => {
      expect(readMoment(moment.toISOString())).toEqual(succeed(moment.getTime()));
    }),
  );
});

it('takes no value for a reason to throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double()), (value) => {
      readMoment(value);
    }),
  );
});
