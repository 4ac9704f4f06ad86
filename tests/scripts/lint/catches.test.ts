import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { mayCatch } from '#scripts/lint/catches';

test.each(Object.keys(mayCatch))('%s, which may catch, does', (file) => {
  expect(readFileSync(file, 'utf8')).toMatch(/\bcatch [({]/);
});
