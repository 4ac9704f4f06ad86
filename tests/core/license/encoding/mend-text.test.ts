import { expect, it } from 'vitest';

import { cutMark, mendText, RepairTally } from '#core/license/encoding/decode-source';

const mended = (text: string): [string, Record<string, number>] => {
  const tally = new RepairTally();
  const clean = mendText(text, tally);
  return [clean, Object.fromEntries(tally.list().map(({ id, count }) => [id, count]))];
};
const line = 'a'.repeat(60);

it.each([
  ['plain', 'ab_c.D+/ -9\n', 'ab_c.D+/ -9\n', {}],
  ['invisible characters', 'a\u200Bb\u00ADc\u202Ed', 'abcd', { 'invisible-characters': 3 }],
  [
    'soft line ends',
    `${line}=\n${line}${'b'.repeat(15)}=\r\nc`,
    `${line}${line}${'b'.repeat(15)}c`,
    { 'quoted-printable': 2 },
  ],
  ['soft line ends and codes', `${line}=\nb=3Dc=2Ed`, `${line}b=c.d`, { 'quoted-printable': 3 }],
  ['codes without a soft line end', 'b=3Dc=2Ed', 'b=3Dc=2Ed', {}],
  [
    'a line that is too short or too long for one',
    `${'a'.repeat(59)}=\n${'b'.repeat(76)}=\n`,
    `${'a'.repeat(59)}=\n${'b'.repeat(76)}=\n`,
    {},
  ],
  ['percent signs', 'a%2Bb%2ec%2Fd%3De%5ff', 'a+b.c/d=e_f', { 'percent-encoding': 5 }],
  ['other percent signs', '100%20%41', '100%20%41', {}],
  ['dashes', 'a\u2011b\u2014c\uFF0Dd', 'a-b-c-d', { dashes: 3 }],
  ['dashes between words', 'a \u2014 b', 'a \u2014 b', {}],
  [
    'an armour',
    '-----BEGIN LICENSE-----\nab\n----- END LICENSE -----',
    `${cutMark}\nab\n${cutMark}`,
    { armour: 2 },
  ],
  ['no armour', '--BEGIN x-- ---BEGINNING---', '--BEGIN x-- ---BEGINNING---', {}],
  ['line breaks of HTML', 'a<br>b<BR/>c<br />d<wbr>e', 'a\nb\nc\nd\ne', { 'line-breaks': 4 }],
  ['rules', 'a\n ====\n----- \n~~~~\n===\nb', `a\n${cutMark}\n${cutMark}\n${cutMark}\n===\nb`, {}],
  ['a rule of several signs', '-=-=-=-=-', '-=-=-=-=-', {}],
])('%s', (_name, text, clean, repairs) => {
  expect(mended(text)).toEqual([clean, repairs]);
});

it('two texts in turn are mended alike', () => {
  const soft = `${line}=\nb=2E`;
  expect(mended(soft)).toEqual(mended(soft));
  expect(mended(`x ${soft}`)).toEqual([`x ${line}b.`, { 'quoted-printable': 2 }]);
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
