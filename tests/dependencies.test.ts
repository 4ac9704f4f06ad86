import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { root } from '#scripts/machine/processes';
import { dependencyTable } from '#tests/support/dependency-table';

test('the table of dependencies names exactly those of package.json', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(
    dependencyTable()
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(Object.keys(dependencies).toSorted());
});

test('each row says what the package is for, its size and why it was chosen', () => {
  for (const [name, use, size, reason] of dependencyTable()) {
    expect([name, use === '', Number(size) > 0, reason === '']).toEqual([name, false, true, false]);
  }
});

test('every package that builds or ships is pinned by its hash, and none fetches another when it is installed', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<
      Record<string, { readonly integrity?: string; readonly hasInstallScript?: boolean }>
    >;
  };
  const all = Object.entries(packages).filter(([path]) => path !== '');
  expect(all.length).toBeGreaterThan(1_000);
  expect(all.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))).toEqual([]);
  const withScripts = all.filter(([, { hasInstallScript = false }]) => hasInstallScript);
  expect(withScripts.map(([path]) => path)).toEqual([]);
  expect(readFileSync(join(root, 'install.mjs'), 'utf8')).toContain("npm('ci', '--ignore-scripts'");
});
