import { expect, test } from 'vitest';

import { auditTable, isMonth, monthAt, monthOfTable } from '#relay/rules/audit-month';

test('a moment belongs to its month in UTC', () => {
  expect(monthAt(Date.UTC(2026, 11, 1) - 1)).toBe('2026-11');
  expect(monthAt(Date.UTC(2026, 11, 1))).toBe('2026-12');
});

test('a month names a table, and the table its month', () => {
  expect(auditTable('2026-11')).toBe('audit_2026_11');
  expect(monthOfTable('audit_2026_11')).toBe('2026-11');
});

test.each(['', '2026', '2026-00', '2026-13', '2026-1', '2026-11; DROP TABLE tokens'])(
  '%j is no month',
  (text) => {
    expect(isMonth(text)).toBe(false);
    expect(() => auditTable(text)).toThrow(`"${text}" is no month: YYYY-MM`);
  },
);
