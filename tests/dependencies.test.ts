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

interface LockedPackage {
  readonly name?: string;
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

/** Returns what a lockfile holds, without the project itself. */
function lockedPackages(file: string): readonly (readonly [string, LockedPackage])[] {
  const { packages } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return Object.entries(packages).filter(([path]) => path !== '');
}

test.each(['package-lock.json', 'scripts/lighthouse/package-lock.json'])(
  '%s names the archive of each package, so that npm need not ask the registry about it',
  (file) => {
    const all = lockedPackages(file);
    expect(all.length).toBeGreaterThan(50);
    for (const [path, { name = path.replace(/^.*node_modules\//, ''), version, resolved }] of all) {
      const archive = `${name.replace(/^.*\//, '')}-${version}.tgz`;
      expect(resolved).toBe(`https://registry.npmjs.org/${name}/-/${archive}`);
    }
  },
);

test('every package that builds or ships is pinned by its hash, and none fetches another when it is installed', () => {
  const all = lockedPackages('package-lock.json');
  expect(all.length).toBeGreaterThan(1_000);
  expect(all.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))).toEqual([]);
  const withScripts = all.filter(([, { hasInstallScript = false }]) => hasInstallScript);
  expect(withScripts.map(([path]) => path)).toEqual([]);
  expect(readFileSync(join(root, 'install.mjs'), 'utf8')).toContain("npm('ci', '--ignore-scripts'");
});
