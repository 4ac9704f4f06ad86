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

/** Expects a lockfile to pin each package by its hash, and none to run a script when it is installed. Returns how many there are. */
function expectPinned(lockfile: string): number {
  const { packages } = JSON.parse(readFileSync(join(root, lockfile), 'utf8')) as {
    readonly packages: Readonly<
      Record<string, { readonly integrity?: string; readonly hasInstallScript?: boolean }>
    >;
  };
  const all = Object.entries(packages).filter(([path]) => path !== '');
  expect(all.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))).toEqual([]);
  const withScripts = all.filter(([, { hasInstallScript = false }]) => hasInstallScript);
  expect(withScripts.map(([path]) => path)).toEqual([]);
  return all.length;
}

test('every package that builds or ships is pinned by its hash, and none fetches another when it is installed', () => {
  expect(expectPinned('package-lock.json')).toBeGreaterThan(1_000);
  expect(readFileSync(join(root, 'install.mjs'), 'utf8')).toContain("npm('ci', '--ignore-scripts'");
});

test('so is every package that one command alone installs', () => {
  for (const folder of ['lighthouse', 'stryker'])
    expect(expectPinned(`scripts/${folder}/package-lock.json`), folder).toBeGreaterThan(50);
  const installer = readFileSync(join(root, 'scripts/machine/separate-packages.ts'), 'utf8');
  expect(installer).toContain("['ci', '--ignore-scripts']");
});
