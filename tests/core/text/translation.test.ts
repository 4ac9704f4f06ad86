import { expect, test } from 'vitest';

import { keysOf, textsOf, translationOf } from '#core/text/translation';

const english = { app: { name: 'Counterfoil', count: '{n} code|{n} codes' }, close: 'Close' };

test('a translation is what it was, once its texts are under their keys again', () => {
  const german = { close: 'Schließen', app: { name: 'Beleg', count: '{n} Code|{n} Codes' } };
  const texts = textsOf(english, german);
  expect(texts).toEqual(['Beleg', '{n} Code|{n} Codes', 'Schließen']);
  expect(translationOf(keysOf(english), texts)).toEqual({
    app: { name: 'Beleg', count: '{n} Code|{n} Codes' },
    close: 'Schließen',
  });
});

test('what a translation lacks or says in English is left out, so that it is shown in English', () => {
  const texts = textsOf(english, { app: { name: 'Counterfoil' } });
  expect(texts).toEqual(['', '', '']);
  expect(translationOf(keysOf(english), texts)).toEqual({ app: {} });
});

test('plural forms are kept even if they are the same, since each language picks them by its rules', () => {
  const { count } = english.app;
  expect(textsOf(english, { app: { count } })).toEqual(['', count, '']);
});
