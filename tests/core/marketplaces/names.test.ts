import { globSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { placeOf, marketplaceIds } from '#core/marketplaces/index';

const folders = [
  'adapters',
  'background',
  'components',
  'core',
  'entrypoints',
  'messaging',
  'pwa',
  'relay',
  'scripts',
  'stores',
];
/** An id, also as it is written in the names of code. */
const names = new RegExp(marketplaceIds.map((id) => id.replaceAll('-', '[- ]?')).join('|'), 'iu');

test('no file but its own, the catalogues, the sandbox and tests names a marketplace', () => {
  const files = globSync(`{${folders.join(',')}}/**/*.{ts,vue,mjs,html}`).map((path) =>
    path.replaceAll('\\', '/'),
  );
  expect(files.length).toBeGreaterThan(400);
  const naming = files.filter(
    (path) =>
      !path.startsWith('core/marketplaces/') &&
      !path.includes('node_modules') &&
      names.test(readFileSync(path, 'utf8')),
  );
  expect(naming).toEqual([]);
});

test.each(['docs/marketplaces.md', 'docs/store/description.txt'])(
  '%s names every marketplace',
  (path) => {
    const text = readFileSync(path, 'utf8');
    const unnamed = marketplaceIds.filter((id) => !text.includes(placeOf(id).name));
    expect(unnamed).toEqual([]);
  },
);
