import { expect, test } from 'vitest';

import { locateCodes } from '#core/check/locate-codes';

const code = '8f14e45f-ceea-767f-9575-28c4dd4bb4a1';

test.each([
  ['a label', `Purchase code: ${code}`],
  ['a label and a word before a dash', `Purchase code: LIC–${code}`],
  ['a label, and a word after a dash', `Purchase code: ${code}–X1`],
])('a code of the common form after %s is located once, as that', (_name, text) => {
  const start = text.indexOf(code);
  expect(locateCodes(text, [])).toEqual([{ code, start, end: start + 36, kind: 'uuid-form' }]);
});

test('a labelled code that goes on as a file name is none', () => {
  expect(locateCodes('Purchase code: XYZ-12345.png', [])).toEqual([]);
});

test('a pattern that cannot be read costs nothing but itself', () => {
  expect(locateCodes(`Hi ${code} CSC-123456`, ['CSC', 'CSC-999999'])).toMatchObject([
    { kind: 'uuid-form' },
    { kind: 'pattern' },
  ]);
});
