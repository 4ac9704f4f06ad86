import { expect, test } from 'vitest';

import { isMonth, monthAt, monthBefore, startOfMonth } from '#relay/store/audit-month';

test('a moment belongs to its month in UTC, which begins with its first moment', () => {
  expect(monthAt(Date.UTC(2026, 11, 1) - 1)).toBe('2026-11');
  expect(monthAt(Date.UTC(2026, 11, 1))).toBe('2026-12');
  expect(startOfMonth('2026-12')).toBe(Date.UTC(2026, 11, 1));
  expect(monthBefore(Date.UTC(2026, 11, 31), -1)).toBe('2027-01');
});

test.each(['', '2026', '2026-00', '2026-13', '2026-1', '2026-11; DROP TABLE tokens'])(
  '%j is no month',
  (text) => {
    expect(isMonth(text)).toBe(false);
  },
);
