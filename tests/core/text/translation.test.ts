import { expect, test } from 'vitest';

import { keysOf, textsOf, translationOf } from '#core/text/translation';

const english = { app: { name: 'Counterfoil', count: '{n} code|{n} codes' }, close: 'Close' };

test('a translation is what it was, once its texts are under their keys again', () => {
  const german = { close: 'Schließen', app: { name: 'Counterfoil', count: '{n} Code|{n} Codes' } };
  const keys = keysOf(english);
  const texts = textsOf(keys, german);
  expect(texts).toEqual(['Counterfoil', '{n} Code|{n} Codes', 'Schließen']);
  expect(translationOf(keys, texts)).toEqual({
    app: { name: 'Counterfoil', count: '{n} Code|{n} Codes' },
    close: 'Schließen',
  });
});

test('what a translation lacks is left out, so that it is shown in English', () => {
  const keys = keysOf(english);
  const texts = textsOf(keys, { app: { name: 'Counterfoil' } });
  expect(texts).toEqual(['Counterfoil', 0, 0]);
  expect(translationOf(keys, texts)).toEqual({ app: { name: 'Counterfoil' } });
});
