import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readingOf, Undoing, undoHtml } from '#core/reading/index';
import { plainText } from '#core/text/plain-text';

describe('a description as text', () => {
  it.each([
    ['leaves text as it is', 'A theme. No sliders.', 'A theme. No sliders.'],
    ['keeps line breaks', 'one\ntwo', 'one\ntwo'],
    ['strips tags and decodes entities', '<p>PDF &amp; UBL <b>now</b></p>', 'PDF & UBL now'],
    ['sets blocks apart', '<p>a</p><p>b</p>c<br>d', 'a\n\nb\n\nc\nd'],
    ['marks the points of a list', '<ul><li>a</li><li>b</li></ul>', '• a\n• b'],
    ['decodes the names of signs in descriptions', '&copy; 2026 &hearts; &frac12;', '© 2026 ♥ ½'],
    ['decodes once only', '&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    [
      'shows what was written as text',
      '&lt;script&gt;alert(1)&lt;/script&gt;',
      '<script>alert(1)</script>',
    ],
    ['drops what is no text for people', 'a<script>x("</p>")</script><style>b{}</style>c', 'ac'],
    ['reads a > in an attribute', '<a title="1 > 2">x</a>', 'x'],
    ['keeps a lone <', '1 < 2 and a <- b', '1 < 2 and a <- b'],
    ['drops comments', 'a<!-- <b> -->b', 'ab'],
    ['survives a tag that is never closed', 'a <img src=x onerror=', 'a'],
    ['decodes numbers, and no control characters', '&#233;&#xE9;&#0;&#x7;', 'éé\uFFFD\uFFFD'],
    ['leaves an entity that nobody knows', '&nosuch; &constructor;', '&nosuch; &constructor;'],
  ])('%s', (_, html, text) => {
    expect(plainText(html)).toBe(text);
  });

  it('never throws, and holds no more than what was there', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('<', '>', '/', '!', '-', '&', ';', '#', 'b', '"', '=', ' '),
        }),
        (html) => {
          expect(plainText(html).length).toBeLessThanOrEqual(html.length * 3);
        },
      ),
    );
  });
});

describe('strip tags', () => {
  const stripTags = (html: string): string => {
    const undoing = new Undoing(readingOf(html));
    undoHtml(undoing, html);
    return undoing.done().text;
  };

  describe('an element that is no text for people', () => {
    it.each([
      ['a<script>x</SCRIPT >b', 'ab'],
      ['a<script>x</scripty>y</script>b', 'ab'],
      ['a<script>x</script', 'a'],
      ['a<script>x</script b', 'a'],
      ['a<svg/onload=x><b>y</b></svg>b', 'ab'],
    ])('%j reads as %j', (html, text) => {
      expect(stripTags(html)).toBe(text);
    });
  });

  describe('a tag', () => {
    it.each([
      ['a<script-x>b</script-x>c', 'abc'],
      ['a<svg:g>b</svg:g>c', 'abc'],
      ["a<b it's>b</b>c", 'abc'],
      ['a<b title="x > y">b</b>c', 'abc'],
      ['a<!-- > -->b', 'ab'],
    ])('is read by its whole name, and ends where a browser ends it: %j', (html, text) => {
      expect(stripTags(html)).toBe(text);
    });
  });
});
