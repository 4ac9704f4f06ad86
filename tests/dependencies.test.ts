import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { root } from '#scripts/machine/processes';

/** Returns the rows of the table of dependencies: its cells, the package's name without backticks. */
function rows(): string[][] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const section = text.split('### Dependencies\n')[1]?.split(/^#/m)[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

test('the table of dependencies names exactly those of package.json', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(
    rows()
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(Object.keys(dependencies).toSorted());
});

test('each row says what the package is for, its size and why it was chosen', () => {
  for (const [name, use, size, reason] of rows()) {
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
