import { globSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

test('texts have two weights: fonts of many scripts have no others', () => {
  const files = globSync([
    'components/**/*.{css,vue}',
    'pwa/**/*.{css,vue}',
    'relay/join/pages.ts',
  ]);
  const weights = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/font-weight: (\w+)/g)].map(([, weight]) => weight),
  );
  expect(weights.length).toBeGreaterThan(20);
  expect(new Set(weights)).toEqual(new Set(['400', '700', 'inherit']));
});
