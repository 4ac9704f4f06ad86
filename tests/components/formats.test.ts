import { describe, expect, test } from 'vitest';

import { createFormats } from '#components/formats';

const formats = createFormats('en-US', 'UTC');
const east = createFormats('en-GB', 'Pacific/Kiritimati');
const west = createFormats('en-US', 'America/Los_Angeles');
const at = Date.UTC(2027, 2, 12, 14, 5, 9);
const minute = 60_000;

test('the exact time is UTC, to the second', () => {
  expect(formats.utc(at)).toBe('2027-03-12 14:05:09 UTC');
  expect(formats.iso(at)).toBe('2027-03-12T14:05:09.000Z');
});

test.each([
  [29, 'USD', '$29.00'],
  [1204.5, 'eur', '€1,204.50'],
  [5, 'credits', '5 credits'],
  [5, '', '5'],
  [-3, 'X1', '-3 X1'],
])('%d %s reads %s', (amount, currency, words) => {
  expect(formats.money(amount, currency)).toBe(words);
});

test('an Arabic amount keeps its currency in one piece, whatever stands beside it', () => {
  const arabic = createFormats('ar', 'UTC').money(69, 'USD');
  expect(arabic).toMatch(/^\u200F.*US\$\u200E$/u);
});

test.each([
  [0, 'now'],
  [30_000, 'now'],
  [5 * minute, '5 minutes ago'],
  [-3 * 24 * 60 * minute, 'in 3 days'],
])('%d ms ago is %s', (past, words) => {
  expect(formats.relative(at - past, at)).toBe(words);
});

test('a length of time is named in its unit', () => {
  expect(formats.span(at, at + 3 * 24 * 60 * minute)).toBe('3 days');
  expect(formats.span(at, at + 1000)).toBe('5 seconds');
  expect(formats.span(at, at + 41_000)).toBe('45 seconds');
  expect(formats.span(at, at + 56_000)).toBe('1 minute');
});

test('sizes are named in round units', () => {
  expect(formats.bytes(1_048_576)).toBe('1 MB');
  expect(formats.bytes(262_144)).toBe('262 kB');
});

test('what was typed as UTC is answered as UTC, with the seconds that were typed', () => {
  expect(formats.utcTyped(at)).toBe('2027-03-12 14:05:09 UTC');
  expect(west.utcTyped(Date.UTC(2027, 2, 12, 2, 5))).toBe('2027-03-12 02:05 UTC');
  expect(east.utcDay(Date.UTC(2027, 2, 12, 23))).toBe('2027-03-12 UTC');
});

describe('a day', () => {
  const evening = Date.UTC(2027, 2, 12, 23, 30);
  const morning = Date.UTC(2027, 2, 12, 7, 30);

  test('names the zone where UTC has another', () => {
    expect(east.date(evening)).toBe('13 March 2027 (GMT+14)');
    expect(east.shortDate(evening)).toBe('13 Mar 2027 (GMT+14)');
    expect(west.date(morning)).toBe('March 11, 2027 (PST)');
  });

  test('stands alone where UTC has the same', () => {
    expect(east.date(morning)).toBe('12 March 2027');
    expect(west.date(evening)).toBe('March 12, 2027');
    expect(formats.date(evening)).toBe('March 12, 2027');
  });

  test('with its hour names the zone unless its clock shows what UTC’s shows', () => {
    expect(east.dateTime(morning)).toBe('12 March 2027 at 21:30 (GMT+14)');
    expect(west.shortDateTime(evening)).toMatch(/^Mar 12, 2027, 3:30\u00A0PM \(PST\)$/);
    expect(formats.dateTime(evening)).toMatch(/^March 12, 2027 at 11:30\u00A0PM$/);
  });
});

test('a time of day has its date unless that is today’s', () => {
  const now = Date.UTC(2027, 2, 12, 11);
  expect(east.clock(now - 45 * minute, now)).toBe('00:15');
  expect(east.clock(now - 90 * minute, now)).toBe('12 Mar 2027, 23:30 (GMT+14)');
});

test.each([
  ['2026-11-19T08:00:00Z', 'yesterday'],
  ['2026-11-21T13:00:00Z', 'tomorrow'],
  ['2026-11-19T13:00:00Z', '23 hours ago'],
  ['2026-11-18T20:00:00Z', '40 hours ago'],
])('from 24 hours on, the day before is yesterday: %s is %s', (moment, words) => {
  const noon = Date.parse('2026-11-20T12:00:00Z');
  expect(createFormats('en', 'UTC').relative(Date.parse(moment), noon)).toBe(words);
});

test('in Japanese no space stands between a number and its unit', () => {
  const japanese = createFormats('ja', 'UTC');
  const now = Date.UTC(2027, 2, 12, 11);
  expect(japanese.relative(now - 100 * 24 * 60 * minute, now)).toBe('3か月前');
  expect(japanese.span(now, now + 100 * 24 * 60 * minute)).toBe('3か月');
});

test('a span and a relative time count alike', () => {
  const later = at + 5 * 24 * 60 * minute - minute;
  for (const each of [formats, east, west]) {
    expect(each.relative(later, at)).toBe('in 5 days');
    expect(each.span(at, later)).toBe('5 days');
    expect(each.relative(at, later)).toBe('5 days ago');
  }
});

test('a moment within two days is given with its time, before and after', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const twoDays = 2 * 24 * 60 * 60 * 1000;
  for (const at of [now + twoDays - 1, now - twoDays + 1])
    expect(formats.nearDate(at, now)).toBe(formats.dateTime(at));
  for (const at of [now + twoDays, now - twoDays])
    expect(formats.nearDate(at, now)).toBe(formats.date(at));
});
