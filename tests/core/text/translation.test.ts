import { describe, expect, test } from 'vitest';

import { keysOf, messageOf, plainMessagesOf, textsOf, translationOf } from '#core/text/translation';

const english = { app: { name: 'Counterfoil', count: '{n} code|{n} codes' }, close: 'Close' };

test('a translation is what it was, once its texts are under their keys again', () => {
  const german = { close: 'Schließen', app: { name: 'Counterfoil', count: '{n} Code|{n} Codes' } };
  const keys = keysOf(english);
  const texts = textsOf(keys, german);
  expect(texts).toEqual(['Counterfoil', '{n} Code|{n} Codes', 'Schließen']);
  expect(translationOf(keys, texts)).toEqual({
    app: { name: messageOf('Counterfoil'), count: messageOf('{n} Code|{n} Codes') },
    close: messageOf('Schließen'),
  });
});

test('what a translation lacks is left out, so that it is shown in English', () => {
  const keys = keysOf(english);
  const texts = textsOf(keys, { app: { name: 'Counterfoil' } });
  expect(texts).toEqual(['Counterfoil', 0, 0]);
  expect(translationOf(keys, texts)).toEqual({ app: { name: messageOf('Counterfoil') } });
});

test('a message in which nothing is filled may be its plain text', () => {
  expect(plainMessagesOf(english)).toEqual({
    app: { name: 'Counterfoil', count: messageOf('{n} code|{n} codes') },
    close: 'Close',
  });
});

describe('a message', () => {
  test('holds its text and its values', () => {
    expect(messageOf('{name} said “{msg}”.')).toEqual({
      t: 0,
      b: {
        t: 2,
        i: [
          { t: 4, k: 'name' },
          { t: 3, v: ' said “' },
          { t: 4, k: 'msg' },
          { t: 3, v: '”.' },
        ],
      },
    });
  });

  test('has a form for each plural, without the spaces around it', () => {
    expect(messageOf('1 file | {count} files')).toEqual({
      t: 0,
      b: {
        t: 1,
        c: [
          { t: 2, i: [{ t: 3, v: '1 file' }] },
          {
            t: 2,
            i: [
              { t: 4, k: 'count' },
              { t: 3, v: ' files' },
            ],
          },
        ],
      },
    });
  });

  test('takes what is quoted as it stands', () => {
    expect(messageOf("before the {'@'}: no").b).toEqual({
      t: 2,
      i: [
        { t: 3, v: 'before the ' },
        { t: 3, v: '@' },
        { t: 3, v: ': no' },
      ],
    });
  });
});
