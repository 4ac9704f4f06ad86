import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseTimestamp } from '#core/time/timestamp';
import { anyText } from '#tests/core/text/any-text';

const moment = Date.UTC(2026, 1, 28, 23, 5, 9);

test.each([
  ['2026-02-28T23:05:09Z', moment],
  ['2026-02-28t23:05:09z', moment],
  [' 2026-02-28T23:05:09Z ', moment],
  ['2026-02-28T23:05:09', moment],
  ['2026-02-28 23:05:09', moment],
  ['2026-02-28 23:05:09Z', moment],
  ['2026-02-28T23:05:09.5Z', moment + 500],
  ['2026-02-28T23:05:09,123456789Z', moment + 123],
  ['2026-02-28T23:05:09.000000Z', moment],
  ['2026-03-01T01:05:09+02:00', moment],
  ['2026-02-28T18:35:09-0430', moment],
  ['2026-02-28T23:05Z', moment - 9000],
  ['2026-02-28T23:05:09 UTC', moment],
  ['2026-02-28T23:05:09gmt', moment],
  ['2026-03-01 01:05:09 +0200', moment],
  ['2026-03-01 01:05:09+02', moment],
  ['2026-03-01T05:05:09+6:00', moment],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ['0099-01-01T00:00:00Z', new Date('0099-01-01T00:00:00Z').getTime()],
])('%s', (text, expected) => {
  expect(parseTimestamp(text)).toBe(expected);
});

test.each([
  '',
  '2026-02-28',
  '2026-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '0000-00-00 00:00:00',
  '2026-02-28T24:00:00Z',
  '2026-02-28T23:60:00Z',
  '2026-02-28T23:05:60Z',
  '2026-02-28T23:05:09+25:00',
  '2026-02-28T23:05:09Z[UTC]',
  '28/02/2026 23:05',
  '02-28-2026T23:05:09Z',
  '1772319909',
  '+002026-02-28T23:05:09Z',
  'Sat, 28 Feb 2026 23:05:09 GMT',
  '2026-02-28T23:05:09.1234567890Z',
])('%j is no moment', (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});

test('reads back whatever a date writes', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date(Date.UTC(9999, 11, 31)), noInvalidDate: true }),
      (date) => {
        expect(parseTimestamp(date.toISOString())).toBe(date.getTime());
      },
    ),
  );
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      parseTimestamp(text);
    }),
  );
});
