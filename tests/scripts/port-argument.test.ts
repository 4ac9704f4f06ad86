import { expect, test } from 'vitest';

import { parsePort } from '#scripts/port-argument';
import { Refusal } from '#scripts/refusal';

const range = { min: 1, max: 65_534 };

test('a port is a decimal number in the range', () => {
  expect(parsePort('8787', range)).toBe(8787);
  expect(parsePort('65534', range)).toBe(65_534);
});

test.each(['', '0', '65535', '-1', '80.5', '0x50', '1e3', 'http'])('%j is no port', (text) => {
  expect(() => parsePort(text, range)).toThrow(Refusal);
  expect(() => parsePort(text, range)).toThrow(
    `"${text}" is no port: give a number from 1 to 65534.`,
  );
});
