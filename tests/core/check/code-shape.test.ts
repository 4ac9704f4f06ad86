import fc from 'fast-check';
import { expect, test } from 'vitest';

import { matchShape, parseCodePattern } from '#core/check/code-shape';
import { anyText } from '#tests/core/text/any-text';

function matched(pattern: string, text: string): string | undefined {
  const shape = parseCodePattern(pattern);
  return shape.ok ? matchShape(shape.value, text, 0)?.code : undefined;
}

test.each([
  ['AAAAAA', 'abcDEF', true],
  ['AAAAAA', 'abcDE1', false],
  ['AAAAAA', 'AZazAZ', true],
  ['AAAAAA', 'abcde{', false],
  ['AAAAAA', 'abcde[', false],
  ['999999', '012345', true],
  ['999999', '01234a', false],
  ['XXXXXX', 'a1B2c3', true],
  ['XXXXXX', 'a1B2c-', false],
  ['HHHHHH', 'a1F2c3', true],
  ['HHHHHH', 'a1G2c3', false],
  ['LIC-999999', 'LIC-123456', true],
  ['LIC-999999', 'lic-123456', true],
  ['LIC–999999', 'LIC-123456', true],
  ['#999999', '#123456', true],
  ['É999999', 'É123456', true],
  ['(.*)999999', '(.*)123456', true],
  ['(.*)999999', 'abcd123456', false],
])('%s and %s: %s', (pattern, text, fits) => {
  expect(matched(pattern, text) === text).toBe(fits);
});

test.each([
  ['', { kind: 'empty' }],
  ['   ', { kind: 'empty' }],
  ['LIC-99999', { kind: 'too-loose', least: 6 }],
  ['X'.repeat(129), { kind: 'too-long', limit: 128 }],
])('%j is no pattern: %j', (pattern, fault) => {
  expect(parseCodePattern(pattern)).toEqual({ ok: false, fault });
});

test('a pattern may have 128 places, and a dash is one', () => {
  expect(matched('X'.repeat(128), 'x'.repeat(128))).toBe('x'.repeat(128));
});

test('gaps are mended in a form of 16 places or more, and never before its first one', () => {
  expect(matched('XXXX-XXXX-XXXX-XXXX', 'a1b2 c3d4-e5f6-g7h8')).toBe('a1b2-c3d4-e5f6-g7h8');
  expect(matched('XXX-XXXX-XXXX-XXXX', 'a1b c3d4-e5f6-g7h8')).toBeUndefined();
  expect(matched('XXXX-XXXX-XXXX-XXXX', ' a1b2-c3d4-e5f6-g7h8')).toBeUndefined();
});

test('no pattern and no text make it throw, and it never reads past the text', () => {
  fc.assert(
    fc.property(fc.string(), anyText, (pattern, text) => {
      const shape = parseCodePattern(`${pattern}XXXXXX`);
      if (!shape.ok) return;
      expect(matchShape(shape.value, text, 0)?.end ?? 0).toBeLessThanOrEqual(text.length);
    }),
  );
});
