import { expect, test } from 'vitest';

import { translationProblems } from '#scripts/checks/translated-texts';

test('a text that does not fit the English one is named', () => {
  const originals = new Map([
    ['only English', 'Gone'],
    ['hollow', 'Hollow'],
    ['named', '{name} said {msg}'],
    ['counted', '{count} code|{count} codes'],
    ['same', '{count} left|{count} left'],
    ['plain', 'Plain'],
    ['braced', 'At @'],
  ]);
  const german = new Map([
    ['hollow', ''],
    ['named', '{name} sagte {message}'],
    ['counted', '{count} Code|{count} Codes|{count} Codes'],
    ['same', 'noch {count}'],
    ['plain', 'ein|zwei'],
    ['braced', "Bei {'@'}"],
    ['old', 'Alt'],
  ]);
  expect(translationProblems(originals, german, 'de')).toEqual([
    'hollow: empty',
    'named: other placeholders',
    'counted: 3 forms of 2',
    'plain: 2 forms of 2',
    'braced: other placeholders',
    'braced: a sign that is read as none of a text',
    'old: not in English',
  ]);
});
