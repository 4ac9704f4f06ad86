import { describe, expect, it } from 'vitest';

import { findJson } from '#core/license/extract/find-json';

const found = (text: string): unknown[] =>
  findJson(text).map(({ document, from, to }) => [document?.value, text.slice(from, to)]);
const repairs = (text: string): unknown[] =>
  findJson(text).map(({ repairs: made }) =>
    Object.fromEntries(made.map(({ id, count }) => [id, count])),
  );

describe('a text that is JSON', () => {
  it.each(['{"a":1}', ' {"a":{"b":[1]}} ', '[{"a":1}]', '[]'])('is found whole: %s', (text) => {
    expect(found(text)).toEqual([[JSON.parse(text), text]]);
    expect(findJson(text)).toMatchObject([{ repairs: [] }]);
  });

  it.each(['1', '"x"', 'true', '', 'prose', '[1', '{'])('is none: %j', (text) => {
    expect(findJson(text)).toEqual([]);
  });
});

describe('JSON in a text', () => {
  it.each([
    ['see {"a":1} there', '{"a":1}'],
    ['see {"a":"}\\"]{","b":[{"c":"\\\\"}]} there', '{"a":"}\\"]{","b":[{"c":"\\\\"}]}'],
    ['[{"a":1}] and more', '[{"a":1}]'],
    [' [{"a":1}] and more', '[{"a":1}]'],
    ['\n\n[{"a":1}] and more', '[{"a":1}]'],
    ['see [1] and {"a":1}', '{"a":1}'],
    ['if (x) { y {"a":1}', '{"a":1}'],
    ['{ it is: {"a":1} }', '{"a":1}'],
  ])('is found with its stretch: %s', (text, json) => {
    expect(found(text)).toEqual([[JSON.parse(json), json]]);
    expect(findJson(text)).toMatchObject([{ repairs: [] }]);
  });

  it('is found as often as it stands there, up to 64 times', () => {
    expect(found('a {"a":1} b {"b":2}')).toEqual([
      [{ a: 1 }, '{"a":1}'],
      [{ b: 2 }, '{"b":2}'],
    ]);
    expect(found(`x ${'{} '.repeat(64)}`)).toHaveLength(64);
    expect(found(`x ${'{} '.repeat(65)}`)).toHaveLength(64);
  });

  it.each([
    ['braces that open nothing', '{ '],
    ['a log with closures', '#7 /app/Kernel.php(115): App\\{closure}()\n'],
    ['a style sheet', 'td { color: red }\n'],
  ])('is looked for behind a thousand times %s, and not behind five thousand', (_, unit) => {
    expect(found(`${unit.repeat(1000)}{"a":1}`)).toEqual([[{ a: 1 }, '{"a":1}']]);
    expect(found(`${unit.repeat(5000)}{"a":1}`)).toEqual([]);
  });

  it('that is too deep is found without a document', () => {
    const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
    expect(found(`x ${deep} {"b":1}`)).toEqual([
      [undefined, deep],
      [{ b: 1 }, '{"b":1}'],
    ]);
  });
});

describe('JSON that mail has changed', () => {
  it.each([
    ['> {"a":\n> "b"}', { a: 'b' }, { 'mail-quotes': 1 }],
    ['x {"a":\n> > "b",\n> "c":1}', { a: 'b', c: 1 }, { 'mail-quotes': 2 }],
    ['x {\u201Ca\u201D: \u00ABb\u00BB}', { a: 'b' }, { 'quotation-marks': 4 }],
    ['x {\u00A0 "a":\u200B"b\u00A0\u200Bc"\u202F}', { a: 'b\u00A0\u200Bc' }, {}],
    ['x {"a":"b\u201Cc\nd"}', { a: 'b\u201Ccd' }, { 'line-breaks': 1 }],
    ['x {"a":"b > c\nd"}', { a: 'b > cd' }, { 'line-breaks': 1 }],
    ['x {"a":"b\r\nc\rd"}', { a: 'bcd' }, { 'line-breaks': 2 }],
    ['x {"a":"b\\\nnc"}', { a: 'b\nc' }, { 'line-breaks': 1 }],
    ['x {"a":"b\\"\nc\\n"}', { a: 'b"c\n' }, { 'line-breaks': 1 }],
    ['x {"a":"\\\\",\n"b":"c\nd"}', { a: '\\', b: 'cd' }, { 'line-breaks': 1 }],
  ])('is mended: %j', (text, value, made) => {
    expect(findJson(text).map(({ document }) => document?.value)).toEqual([value]);
    expect(repairs(text)).toEqual([made]);
  });

  it('is none where it still is not JSON', () => {
    expect(found('x {"a":b\n}')).toEqual([]);
    expect(found(' ["a\nb"] x')).toEqual([]);
  });
});
