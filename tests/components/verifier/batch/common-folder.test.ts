import { expect, test } from 'vitest';

import { commonEnd, commonFolder } from '#components/verifier/batch/common-folder';

test.each([
  [['samples/a.lic', 'samples/b.lic'], 'samples/'],
  [['a/b/c.lic', 'a/b/d/e.lic', 'a/bc/f.lic'], 'a/'],
  [['a/b.lic', 'b.lic'], ''],
  [['/a.lic', '/b.lic'], '/'],
  [['samples/a.lic'], ''],
  [[], ''],
])('the folder that %j share is %j', (names, folder) => {
  expect(commonFolder(names)).toBe(folder);
});

test('what all names end with is found', () => {
  const names = ['customer-08-state.json', 'customer-41-state.json'];
  expect(commonEnd(names)).toBe('-state.json');
  expect(commonEnd([...names, 'other.lic'])).toBe('');
  expect(commonEnd(names.slice(1))).toBe('');
});
