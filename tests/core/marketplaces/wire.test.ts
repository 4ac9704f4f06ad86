import fc from 'fast-check';
import { parse, safeParse } from 'valibot';
import { describe, expect, test } from 'vitest';

import { asList, code, identifier, lenientFields } from '#core/marketplaces/wire';
import { safeUrl } from '#core/address/index';
import { anyText } from '#tests/core/text/any-text';

test.each([
  ['https://cdn.test/a.png?x=1#y', 'https://cdn.test/a.png?x=1#y'],
  ['http://cdn.test', 'http://cdn.test/'],
  [' https://cdn.test/ä ', 'https://cdn.test/%C3%A4'],
])('%j is the link %s', (text, link) => {
  expect(safeUrl(text)).toBe(link);
});

test.each([
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'JaVaScRiPt://cdn.test/%0aalert(1)',
  'data:text/html,<script>',
  'vbscript:x',
  'blob:https://cdn.test/1',
  'file:///etc/passwd',
  'ftp://cdn.test/a',
  '//cdn.test/a.png',
  '/a.png',
  'a.png',
  '',
  'https://',
  'https://bank.test@evil.test/',
  'https://user:pass@cdn.test/',
  'https://:pass@cdn.test/',
  `https://cdn.test/${'a'.repeat(8192)}`,
])('%.60j is none', (text) => {
  expect(safeUrl(text)).toBeUndefined();
});

test('whatever is a link is http or https', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', 'https://', 'http://a', 'javascript:'),
      anyText,
      (scheme, rest) => {
        expect(safeUrl(scheme + rest) ?? 'https://').toMatch(/^https?:\/\//);
      },
    ),
  );
});

test.each(['0x29', ' 41', '41 ', '1e3', '41.0', '-1', ''])('%j is no id', (sent) => {
  expect(safeParse(identifier, sent).success).toBe(false);
});

test.each(['', '  ', '\t'])('%j is no code', (sent) => {
  expect(safeParse(code, sent).success).toBe(false);
});

test('a code is read as it was sent, blanks and all', () => {
  expect(parse(code, ' ab ')).toBe(' ab ');
});

test.each([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [{ 0: 'a', 10: 'b' }, ['a', 'b']],
  [{}, []],
  [{ x1: 'a' }, undefined],
  [{ '1x': 'a' }, undefined],
  [{ 0: 'a', x: 'b' }, undefined],
  ['a', undefined],
])('%j as a list is %j', (sent, list) => {
  expect(asList(sent)).toEqual(list);
});

describe('optional fields', () => {
  test.each([
    [' 29.00 ', 29],
    [`${'0'.repeat(31)}7`, 7],
    [`${'0'.repeat(32)}7`, undefined],
  ])('the amount %j is %j', (sent, amount) => {
    expect(lenientFields({ sent }).amount('sent')).toBe(amount);
  });

  test('a list has no entry for null, and none is missing for it', () => {
    const fields = lenientFields({ texts: [null, 'a'], links: [null, 'https://cdn.test/'] });
    expect(fields.texts('texts')).toEqual(['a']);
    expect(fields.links('links')).toEqual(['https://cdn.test/']);
    expect(fields.unreadable).toEqual([]);
  });

  test('a link within a list of its own is none, and is named', () => {
    const fields = lenientFields({ links: [['https://cdn.test/'], 'https://cdn.test/b'] });
    expect(fields.links('links')).toEqual(['https://cdn.test/b']);
    expect(fields.unreadable).toEqual(['links']);
  });

  test('a map has its texts alone; what is null is absent, and anything else is named', () => {
    const fields = lenientFields({ good: { a: 'A', b: null }, bad: { a: 'A', b: 7 }, none: null });
    expect(fields.pairs('good')).toEqual([['a', 'A']]);
    expect(fields.pairs('none')).toEqual([]);
    expect(fields.unreadable).toEqual([]);
    expect(fields.pairs('bad')).toEqual([['a', 'A']]);
    expect(fields.unreadable).toEqual(['bad']);
  });
});
