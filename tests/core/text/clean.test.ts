import fc from 'fast-check';
import { expect, test } from 'vitest';

import { normaliseText } from '#core/text/clean';
import { anyText } from '#tests/core/text/any-text';

test.each([
  ['plain text stays', 'a-1 b\n\t', 'a-1 b\n\t'],
  ['dashes', 'a\u2010\u2011\u2012–—―−－b', 'a--------b'],
  ['spaces', 'a\u00A0\u2003\u202F\u3000b', 'a    b'],
  ['line separators', 'a\u2028\u0085b', 'a\n\nb'],
  ['invisible characters', '\uFEFFa\u200B\u00AD\u2060\uFE0F\u034Fb\u202E', 'ab'],
  ['fillers, tags and variation selectors', 'a\u3164\u{E0020}b\u{E0100}\u115F', 'ab'],
  ['full-width letters and digits', '０９ＡＺａｚ', '09AZaz'],
  ['letters of every script stay', 'äж例💩', 'äж例💩'],
])('%s', (_name, original, clean) => {
  expect(normaliseText(original).text).toBe(clean);
});

test('every character is found again where it stood', () => {
  const { text, offsetOf } = normaliseText('\uFEFFa\u200B–b\u200B');
  expect(text).toBe('a-b');
  expect([0, 1, 2, 3].map(offsetOf)).toEqual([1, 3, 4, 6]);
});

test('every character after an invisible one of two units is found again where it stood', () => {
  const { text, offsetOf } = normaliseText('a\u{E0100}b\u{1F4A9}c');
  expect(text).toBe('ab\u{1F4A9}c');
  expect([0, 1, 2, 3, 4, 5].map(offsetOf)).toEqual([0, 3, 4, 5, 6, 7]);
});

test('no text makes it throw or grow, and cleaning twice changes nothing more', () => {
  fc.assert(
    fc.property(anyText, (original) => {
      const { text, offsetOf } = normaliseText(original);
      expect(text.length).toBeLessThanOrEqual(original.length);
      expect(offsetOf(text.length)).toBe(original.length);
      expect(normaliseText(text).text).toBe(text);
    }),
  );
});
