import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { inlineMarkdown, inlineText, isolated, withoutIsolates } from '#core/text/inline-text';

const strange = [
  'https://evil.test/a',
  'HTTP://evil.test',
  'www.evil.test',
  'WWW.evil.test',
  'mailto:joe',
  'joe@shop.test',
  '@everyone',
  '#123',
  '# Heading',
  '> quote',
  '- point',
  '=====',
  '---',
  'a\nb',
  'a\r\n# b',
  'a\u2028@here',
  'evil.example',
  'a\u202Eb',
];

/** What programs recognise: GFM's extended autolinks, the bare hosts of lenient ones, mentions and references. */
const recognised = [
  /(?:https?|ftp):\/\//iu,
  /\bwww\./iu,
  /[\w.+-]@[\w-]+\.[\w-]/u,
  /\p{L}\.(?:test|example|com)\b/u,
  /[@#][\p{L}\p{N}_]/u,
  /^\s*(?:#{1,6}\s|>|[-+*=]|\d+[.)]\s)/u,
];

describe.each([
  ['plain text', inlineText],
  ['Markdown', inlineMarkdown],
])('foreign text in %s', (_, inline) => {
  it.each(strange)('%j is one line without a link, mention or heading', (text) => {
    const safe = inline(text);
    expect(safe).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E]/u);
    for (const pattern of recognised) expect(safe).not.toMatch(pattern);
  });

  it('is so however the pieces stand together', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...strange, ' ', 'x', '\t', '@', '#', '.', '//', ':')),
        (pieces) => {
          const safe = inline(pieces.join(''));
          expect(safe).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E]/u);
          for (const pattern of recognised) expect(safe).not.toMatch(pattern);
        },
      ),
    );
  });

  it('holds no character that is not drawn, but for those that join letters', () => {
    expect(inline('Or\u200Bbit\u00AD \uFEFFPro\u2060')).toBe('Orbit Pro');
    expect(inline('क्\u200Dष \u{1F469}\u200D\u{1F4BB} می\u200Cخواهم')).toBe(
      'क्\u200Dष \u{1F469}\u200D\u{1F4BB} می\u200Cخواهم',
    );
  });

  it('reads as before', () => {
    const read = (text: string): string =>
      inline(text).replaceAll(/\u2060|\\(?=[^\p{L}\p{N}])/gu, '');
    expect(read('Harbour 2.4.1 (Next.js) by joe@shop.test')).toBe(
      'Harbour 2.4.1 (Next.js) by joe@shop.test',
    );
  });
});

it('leaves common names as they are', () => {
  for (const name of ['Harbour 2.4.1', 'Müller & Söhne', '12. März 2027', 'A: b', 'C# kit'])
    expect(inlineText(name)).toBe(name);
});

it('escapes markup in Markdown, and a list’s number at the beginning alone', () => {
  expect(inlineMarkdown('*a* [b](c) <i> 1. x')).toBe(String.raw`\*a\* \[b\]\(c\) \<i\> 1. x`);
  expect(inlineMarkdown('12. März')).toBe(String.raw`12\. März`);
});

const utc = '2027-03-12 14:05 UTC';

test('an isolated text is between two characters that are taken out again', () => {
  expect(isolated(utc)).toBe(`\u2068${utc}\u2069`);
  expect(withoutIsolates(`until ${isolated(utc)}, ${isolated(utc)}`)).toBe(`until ${utc}, ${utc}`);
});

test('what is made safe to paste holds no isolate', () => {
  for (const made of [inlineText, inlineMarkdown]) expect(made(isolated('today'))).toBe('today');
});
