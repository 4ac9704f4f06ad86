import { describe, expect, test } from 'vitest';

import { fillMessage, findMessage, pluralFormOf } from '#components/i18n';

const english = pluralFormOf('en');

test('a text is found under its dotted name, and nothing else is', () => {
  const texts = { app: { name: 'Counterfoil' } };
  expect(findMessage(texts, 'app.name')).toBe('Counterfoil');
  for (const name of [
    'app',
    'app.title',
    'app.name.length',
    'toString',
    'app.constructor.name',
    '',
  ])
    expect(findMessage(texts, name), name).toBeUndefined();
  expect(findMessage(undefined, 'app.name')).toBeUndefined();
});

describe('a message', () => {
  test.each([
    ['{name} said “{msg}”.', { name: 'Market', msg: 'No' }, 'Market said “No”.'],
    ['{a}{b}', { a: 1, b: 0 }, '10'],
    ['before the @: no', {}, 'before the @: no'],
    ['a value that is missing: {name}.', {}, 'a value that is missing: .'],
    ['a value that is undefined: {name}.', { name: undefined }, 'a value that is undefined: .'],
    ['{name}', { name: '{msg} | {name}', msg: 'not filled again' }, '{msg} | {name}'],
    ['{constructor}', {}, ''],
  ])('is filled: %s', (text, values, filled) => {
    expect(fillMessage(text, values, undefined, english)).toBe(filled);
  });

  test.each([
    [1, undefined, '1 file'],
    [3, undefined, '3 files'],
    [{ count: 1 }, undefined, '1 file'],
    [{ count: '1,000' }, 1000, '1,000 files'],
    [{}, 2, '2 files'],
  ])('takes the form of its count: %j, %j', (values, count, filled) => {
    expect(fillMessage('{count} file | {count} files', values, count, english)).toBe(filled);
  });

  test('takes the last form where a language has one for all', () => {
    expect(fillMessage('{count} Datei(en)', 5, undefined, pluralFormOf('de'))).toBe('5 Datei(en)');
  });
});

test.each([
  ['en', [0, 1, 2], [1, 0, 1]],
  ['fr', [0, 1, 2], [0, 0, 2]],
  ['ar', [0, 1, 2, 3, 11, 100], [0, 1, 2, 3, 4, 5]],
  ['ja', [0, 1, 2], [0, 0, 0]],
])('the forms of %s stand in the order of CLDR', (locale, counts, forms) => {
  expect(counts.map(pluralFormOf(locale))).toEqual(forms);
});
