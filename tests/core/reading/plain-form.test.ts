import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { plainForm, readingOf } from '#core/reading/index';
import { anyText } from '#tests/core/text/any-text';

describe('text as codes are looked for in it', () => {
  test.each([
    ['plain text stays', 'a-1 b\n\t', 'a-1 b\n\t'],
    ['hyphens, and dashes that separate words', 'a\u2010\u2011－\u2012–—―−b', 'a---–––––b'],
    ['marks of a reply', '> a\n>> b\n| > c > d', 'a\nb\nc > d'],
    ['the marks of a row of a table stay', '| a | b |\n|c|\n| d', '| a | b |\n|c|\nd'],
    ['digits of other scripts', '٣٤ ۵ ६ ๗', '34 5 6 7'],
    ['spaces', 'a\u00A0\u2003\u202F\u3000b', 'a    b'],
    ['line separators', 'a\u2028\u0085b', 'a\n\nb'],
    ['invisible characters', '\uFEFFa\u200B\u00AD\u2060\uFE0F\u034Fb\u202E', 'ab'],
    ['fillers, tags and variation selectors', 'a\u3164\u{E0020}b\u{E0100}\u115F', 'ab'],
    ['full-width letters and digits', '０９ＡＺａｚ', '09AZaz'],
    ['letters of every script stay', 'äж例💩', 'äж例💩'],
  ])('%s', (_name, original, clean) => {
    expect(plainForm(readingOf(original)).text).toBe(clean);
  });

  test('every character is found again where it stood', () => {
    const plain = plainForm(readingOf('\uFEFFa\u200B–b\u200B'));
    expect(plain.text).toBe('a–b');
    expect([0, 1, 2].map((at) => plain.startOf(at))).toEqual([1, 3, 4]);
  });

  test('every character after an invisible one of two units is found again where it stood', () => {
    const plain = plainForm(readingOf('a\u{E0100}b\u{1F4A9}c'));
    expect(plain.text).toBe('ab\u{1F4A9}c');
    expect([0, 1, 2, 3, 4].map((at) => plain.startOf(at))).toEqual([0, 3, 4, 5, 6]);
  });

  test('no text makes it throw, or grow but by the letters of ligatures, and cleaning twice changes nothing more', () => {
    fc.assert(
      fc.property(anyText, (original) => {
        const plain = plainForm(readingOf(original));
        const { text } = plain;
        // A ligature is three letters at most, as in \uFB03.
        const ligatures = original.match(/[^\0-\x7f]/g)?.length ?? 0;
        expect(text.length).toBeLessThanOrEqual(original.length + 2 * ligatures);
        if (text !== '') expect(plain.endOf(text.length - 1)).toBeLessThanOrEqual(original.length);
        expect(plainForm(readingOf(text)).text).toBe(text);
      }),
      { examples: [['\u01F1'], ['\uFB03'], ['\uFFF0|'], ['\u00A0> x']] },
    );
  });
});
