import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from '@playwright/test';

import { filesIn, unzipArchive } from '#scripts/packages/archive';
import { projectVersion } from '#scripts/packages/extension-packages';
import { root, run } from '#scripts/processes';
import { unpackSources } from '#tests/support/unpacked';

const output = join(root, '.output');

/** Returns an archive that `npm run zip` has written. */
async function archive(kind: 'chrome' | 'firefox' | 'sources'): Promise<Buffer> {
  return readFile(join(output, `counterfoil-${await projectVersion()}-${kind}.zip`));
}

test('the archive of the sources holds what git tracks, with the dotfiles, and no build', async () => {
  const paths = (await unzipArchive(await archive('sources'))).map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['.npmrc', '.gitignore', 'package-lock.json', 'core/result.ts']),
  );
  expect(
    paths.filter((path) => /^(?:dist|node_modules|\.output|\.wxt|\.git)\//.test(path)),
  ).toEqual([]);
});

test('both extension archives are built again from the sources, in another folder, with the same bytes', async () => {
  const folder = await unpackSources(await archive('sources'));
  const { code, output: printed } = await run('node', ['scripts/zip.ts'], { cwd: folder });
  expect(printed).toContain('No archive of the sources: this folder is no git clone');
  expect(code).toBe(0);
  for (const kind of ['chrome', 'firefox'] as const) {
    const name = `counterfoil-${await projectVersion()}-${kind}.zip`;
    const again = await readFile(join(folder, '.output', name));
    expect(again.equals(await archive(kind)), name).toBe(true);
  }
  await rm(folder, { recursive: true, force: true });
});

test('no archive names a folder of the machine that built it', async () => {
  const places = [root, process.env['HOME'] ?? ''].filter((place) => place.length > 2);
  expect(places).toContain(root);
  for (const kind of ['chrome', 'firefox'] as const) {
    const files = await unzipArchive(await archive(kind));
    const naming = files.filter(({ content }) =>
      places.some((place) => Buffer.from(content).includes(place)),
    );
    expect(naming.map(({ path }) => path)).toEqual([]);
  }
});

test('an archive holds every file of its build, and nothing else', async () => {
  for (const [kind, folder] of [
    ['chrome', 'chrome-mv3'],
    ['firefox', 'firefox-mv3'],
  ] as const) {
    const packed = await unzipArchive(await archive(kind));
    const built = await filesIn(join(output, folder));
    expect(packed.map(({ path }) => path).toSorted()).toEqual(
      built.map(({ path }) => path).toSorted(),
    );
  }
});
