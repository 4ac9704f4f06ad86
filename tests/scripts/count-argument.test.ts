import { expect, test } from 'vitest';

import { parseCount } from '#scripts/count-argument';
import { Refusal } from '#scripts/refusal';

test('a count is a whole number from 1 on, or from where it is told', () => {
  expect(parseCount('cases', '1')).toBe(1);
  expect(parseCount('cases', '1000000')).toBe(1_000_000);
  expect(parseCount('seed', '0', 0)).toBe(0);
});

test.each(['', '0', '-1', '1.5', '1e3', 'many', '9'.repeat(20)])('%j is no count', (text) => {
  expect(() => parseCount('cases', text)).toThrow(Refusal);
  expect(() => parseCount('cases', text)).toThrow(
    `--cases takes a whole number from 1 on, and "${text}" is none.`,
  );
});
