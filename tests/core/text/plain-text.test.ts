import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { plainText, stripTags } from '#core/text/plain-text';

describe('a description as text', () => {
  it.each([
    ['leaves text as it is', 'A theme. No sliders.', 'A theme. No sliders.'],
    ['keeps line breaks', 'one\ntwo', 'one\ntwo'],
    ['strips tags and decodes entities', '<p>PDF &amp; UBL <b>now</b></p>', 'PDF & UBL now'],
    ['sets blocks apart', '<p>a</p><p>b</p>c<br>d', 'a\n\nb\n\nc\nd'],
    ['marks the points of a list', '<ul><li>a</li><li>b</li></ul>', '• a\n• b'],
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
  /**
   * Counts the characters that a call reads through strings' own methods. A regular expression may look at each part of its
   * text from each start, so it costs the square of the text it is given.
   */
  function stepsOf(run: () => void): number {
    let steps = 0;
    /* eslint-disable @typescript-eslint/unbound-method -- each is called with its own `this` below */
    const { indexOf, charAt, charCodeAt, startsWith, slice } = String.prototype;
    const { exec, test } = RegExp.prototype;
    /* eslint-enable @typescript-eslint/unbound-method */
    String.prototype.indexOf = function (this: string, wanted: string, from = 0) {
      const at = indexOf.call(this, wanted, from);
      steps += (at < 0 ? this.length : at + wanted.length) - from;
      return at;
    };
    for (const [name, method] of Object.entries({ charAt, charCodeAt, startsWith, slice })) {
      Object.assign(String.prototype, {
        [name](this: string, ...given: unknown[]) {
          steps += 1;
          return Reflect.apply(method, this, given) as unknown;
        },
      });
    }
    for (const [name, method] of Object.entries({ exec, test })) {
      Object.assign(RegExp.prototype, {
        [name](this: RegExp, text: string) {
          steps += text.length ** 2;
          return Reflect.apply(method, this, [text]) as unknown;
        },
      });
    }
    try {
      run();
    } finally {
      Object.assign(String.prototype, { indexOf, charAt, charCodeAt, startsWith, slice });
      Object.assign(RegExp.prototype, { exec, test });
    }
    return steps;
  }

  const pieces = [
    '<script>',
    '</script',
    '</script>',
    '</scripty>',
    '<svg ',
    '</svg',
    '<!--',
    '-->',
    '<',
    '</',
    '<a b="',
    "'",
    '>',
    'text ',
    '<li>',
    '&amp;',
  ];

  describe('the steps of stripping tags', () => {
    const grow = (head: string, piece: string): void => {
      const [once, twice] = [1000, 2000].map((times) => {
        const html = head + piece.repeat(times);
        return stepsOf(() => stripTags(html));
      });
      expect(once).toBeGreaterThan(0);
      expect(twice).toBeLessThanOrEqual(2.5 * (once ?? 0));
    };

    it('at most 2.5-fold with twice the text, for a script that is closed by nothing', () => {
      grow('<script>', '</script');
      grow('<script>', '</script ');
      grow('<svg>', '</svg\n');
    });

    it('at most 2.5-fold with twice the text, whatever is repeated', () => {
      const some = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 });
      fc.assert(
        fc.property(some, some, (head, piece) => {
          grow(head.join(''), piece.join(''));
        }),
        { numRuns: 60 },
      );
    });
  });

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
