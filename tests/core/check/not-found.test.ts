import { expect, test } from 'vitest';

import { notFoundReasons } from '#core/check/not-found';

const always = ['mistyped', 'refunded', 'other-seller'];

test.each([
  ['good', true, always],
  ['unknown', true, ['key-unknown', ...always]],
  ['good', false, ['never-proven', ...always]],
  ['unknown', false, ['never-proven', 'key-unknown', ...always]],
] as const)('with a key that is %s and proven %s', (key, proven, reasons) => {
  expect(notFoundReasons({ kind: 'not-found', msg: '', key, proven })).toEqual(reasons);
});
