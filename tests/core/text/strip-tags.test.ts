import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { stripTags } from '#core/text/strip-tags';

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
