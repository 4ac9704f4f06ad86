import { expect, test } from 'vitest';

import { omitUndefined } from '#core/omit-undefined';

test('members that are undefined are left out, and no others', () => {
  expect(Object.entries(omitUndefined({ a: undefined, b: 0, c: '', d: null, e: false }))).toEqual([
    ['b', 0],
    ['c', ''],
    ['d', null],
    ['e', false],
  ]);
});
