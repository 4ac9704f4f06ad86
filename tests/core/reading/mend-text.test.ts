import { expect, it } from 'vitest';

import { cutMark, mendText, RepairTally } from '#core/reading/decode-source';

const mended = (text: string): [string, Record<string, number>] => {
  const tally = new RepairTally();
  const clean = mendText(text, tally);
  return [clean, Object.fromEntries(tally.list().map(({ id, count }) => [id, count]))];
};
const line = 'a'.repeat(60);

it.each([
  ['plain', 'ab_c.D+/ -9\n', 'ab_c.D+/ -9\n', {}],
  ['invisible characters', 'a\u200Bb\u00ADc\u202Ed', 'abcd', { 'invisible-characters': 3 }],
  ['dashes', 'a\u2011b\u2014c\uFF0Dd', 'a-b-c-d', { dashes: 3 }],
  ['dashes beside each other', 'a\u2013\u2013b\u2013.c', 'a--b-.c', { dashes: 3 }],
  ['dashes between words', 'a \u2014 b', 'a \u2014 b', {}],
  [
    'an armour',
    '-----BEGIN LICENSE-----\nab\n----- END LICENSE -----',
    `${cutMark}\nab\n${cutMark}`,
    { armour: 2 },
  ],
  ['no armour', '--BEGIN x-- ---BEGINNING---', '--BEGIN x-- ---BEGINNING---', {}],
  ['what a transport wrote', `${line}=\nb=3Dc%2E<br>`, `${line}=\nb=3Dc%2E<br>`, {}],
  ['rules', 'a\n ====\n----- \n~~~~\n===\nb', `a\n${cutMark}\n${cutMark}\n${cutMark}\n===\nb`, {}],
  ['a rule of several signs', '-=-=-=-=-', '-=-=-=-=-', {}],
])('%s', (_name, text, clean, repairs) => {
  expect(mended(text)).toEqual([clean, repairs]);
});

it('a tally counts each kind, in the order in which they came up', () => {
  const tally = new RepairTally();
  tally.add('spaces', 0);
  tally.add('label');
  tally.addAll([
    { id: 'padding', count: 2 },
    { id: 'label', count: 3 },
  ]);
  expect(tally.list()).toEqual([
    { id: 'label', count: 4 },
    { id: 'padding', count: 2 },
  ]);
});
