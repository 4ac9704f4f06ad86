import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, test } from '@playwright/test';

import { libraryOf, type ModuleSizes, moduleSizesFile } from '#scripts/build/module-sizes';
import { licensedIn, licenseFile } from '#scripts/packages/licenses';
import { root } from '#scripts/machine/processes';
import { dependencyTable } from '#tests/support/dependency-table';

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

test('the table of dependencies says what each package takes in the extension', async () => {
  const sizes = JSON.parse(
    await readFile(moduleSizesFile(join(root, builds[0])), 'utf8'),
  ) as ModuleSizes;
  const taken = new Map<string, number>();
  for (const script of Object.values(sizes))
    for (const [module, bytes] of Object.entries(script)) {
      const library = libraryOf(module);
      // Vue itself is a name for its parts.
      const name = library?.startsWith('@vue/') === true ? 'vue' : (library ?? '');
      taken.set(name, (taken.get(name) ?? 0) + bytes);
    }
  const stated = dependencyTable().filter(([name = '']) => taken.has(name));
  expect(stated.length).toBeGreaterThan(5);
  // A kilobyte or a tenth off, so that not each release of a package changes the table.
  const wrong = stated.flatMap(([name = '', , kilobytes]) => {
    const actual = (taken.get(name) ?? 0) / 1000;
    const isRight = Math.abs(Number(kilobytes) - actual) <= Math.max(1, actual / 10);
    return isRight ? [] : [`${name}: ${actual.toFixed(1)}`];
  });
  expect(wrong).toEqual([]);
});

test('every package that takes a byte in an extension has its license there', async () => {
  for (const build of builds.slice(0, 2)) {
    const sizes = JSON.parse(
      await readFile(moduleSizesFile(join(root, build)), 'utf8'),
    ) as ModuleSizes;
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
