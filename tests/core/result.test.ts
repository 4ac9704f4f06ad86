import { expect, test } from 'vitest';

import { fail, omitUndefined, succeed } from '#core/result';

test('an outcome is told by one member, and survives JSON', () => {
  expect(JSON.parse(JSON.stringify(succeed(1)))).toEqual({ ok: true, value: 1 });
  expect(JSON.parse(JSON.stringify(fail('late')))).toEqual({ ok: false, fault: 'late' });
});

test('members that are undefined are left out, and no others', () => {
  expect(Object.entries(omitUndefined({ a: undefined, b: 0, c: '', d: null, e: false }))).toEqual([
    ['b', 0],
    ['c', ''],
    ['d', null],
    ['e', false],
  ]);
});
