import { expect, test } from 'vitest';

import { createFormats } from '#components/formats';

const formats = createFormats('en-US');
const at = Date.UTC(2027, 2, 12, 14, 5, 9);
const minute = 60_000;

test('the exact time is UTC, to the second', () => {
  expect(formats.utc(at)).toBe('2027-03-12 14:05:09 UTC');
  expect(formats.utcMinute(at)).toBe('2027-03-12 14:05 UTC');
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
  expect(formats.span(at, at + 1000)).toBe('1 minute');
});

test('sizes are named in round units', () => {
  expect(formats.bytes(1_048_576)).toBe('1 MB');
  expect(formats.bytes(262_144)).toBe('262 kB');
});

test('a moment within two days is given with its time, before and after', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const twoDays = 2 * 24 * 60 * 60 * 1000;
  for (const at of [now + twoDays - 1, now - twoDays + 1])
    expect(formats.nearDate(at, now)).toBe(formats.dateTime(at));
  for (const at of [now + twoDays, now - twoDays])
    expect(formats.nearDate(at, now)).toBe(formats.date(at));
});
