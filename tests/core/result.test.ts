import { expect, test } from 'vitest';

import { fail, succeed } from '#core/result';

test('an outcome is told by one member, and survives JSON', () => {
  expect(JSON.parse(JSON.stringify(succeed(1)))).toEqual({ ok: true, value: 1 });
  expect(JSON.parse(JSON.stringify(fail('late')))).toEqual({ ok: false, fault: 'late' });
});
