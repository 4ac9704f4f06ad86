import { expect, test } from 'vitest';

import { mayHoldLabelled } from '#core/check/labelled-code';
import { locateCodes } from '#core/check/find-codes';

const code = '8f14e45f-ceea-767f-9575-28c4dd4bb4a1';
const mayHold = (text: string): boolean => {
  const start = text.indexOf(code);
  return mayHoldLabelled(text, (at) => start < 0 || at < start || at >= start + code.length);
};

test.each([
  ['a code that was found', `My purchase code is ${code}, thanks`],
  ['dates and times', `Purchase code: ${code}, 2026-05-03 17:40, 3-12-2026`],
  ['words without a digit', 'Purchase code: unfortunately-none'],
  ['short numbers', 'Purchase code: 1234567, version 2.4'],
])('beside %s there is nothing to look for labels for', (_, text) => {
  expect(mayHold(text)).toBe(false);
});

test.each([
  ['another run', `License key: AB12CD34, purchase code: ${code}`],
  ['a run that is broken over two lines', 'Purchase code: AB12-\n  CD34'],
  ['a run that goes on after a code', `Purchase code: ${code}-AB12CD34`],
])('%s may be a labelled code', (_, text) => {
  expect(mayHold(text)).toBe(true);
});

test('a labelled code is found beside one of the common form, before and after it', () => {
  const kinds = (text: string) => locateCodes(text, []).map(({ kind }) => kind);
  expect(kinds(`License key: AB12CD34. Purchase code: ${code}`)).toEqual(['labelled', 'uuid-form']);
  expect(kinds(`Purchase code: ${code}. License key: AB12-\nCD34`)).toEqual([
    'uuid-form',
    'labelled',
  ]);
});
