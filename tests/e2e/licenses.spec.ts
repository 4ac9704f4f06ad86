import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, test } from '@playwright/test';

import { libraryOf, moduleSizesFile } from '#scripts/build/module-sizes';
import { licensedIn, licenseFile } from '#scripts/packages/licenses';
import { root } from '#scripts/machine/processes';

const builds = ['.output/chrome-mv3', '.output/firefox-mv3', 'dist/pwa'] as const;

function licenses(build: string): Promise<string> {
  return readFile(join(root, build, licenseFile), 'utf8');
}

const licensed = (build: string): string[] => licensedIn(join(root, build));

for (const build of builds)
  test(`${build} holds the licenses of its packages, under 15 kB compressed`, async () => {
    const names = licensed(build);
    expect(names).toEqual(
      expect.arrayContaining(['@vue/runtime-dom', 'valibot', '@iconify-json/lucide']),
    );
    expect(gzipSync(await licenses(build)).length).toBeLessThan(15_000);
  });

test('every package that takes a byte in an extension has its license there', async () => {
  for (const build of builds.slice(0, 2)) {
    const sizes = JSON.parse(await readFile(moduleSizesFile(join(root, build)), 'utf8')) as Record<
      string,
      Record<string, number>
    >;
    const modules = Object.values(sizes).flatMap((script) => Object.keys(script));
    const packages = new Set(modules.flatMap((module) => libraryOf(module) ?? []));
    expect(packages.size).toBeGreaterThan(10);
    expect(licensed(build)).toEqual(expect.arrayContaining([...packages]));
  }
});

test('the site names what its service worker and its verify workers are made of as well', () => {
  expect(licensed('dist/pwa')).toEqual(
    expect.arrayContaining(['workbox-precaching', '@noble/hashes', 'workbox-window']),
  );
});
