import { expect, test } from 'vitest';

import { isMonth, monthAt } from '#relay/month';

test('a moment belongs to its month in UTC', () => {
  expect(monthAt(Date.UTC(2026, 11, 1) - 1)).toBe('2026-11');
  expect(monthAt(Date.UTC(2026, 11, 1))).toBe('2026-12');
});

test.each(['', '2026', '2026-00', '2026-13', '2026-1', '2026-11; DROP TABLE tokens'])(
  '%j is no month',
  (text) => {
    expect(isMonth(text)).toBe(false);
  },
);
