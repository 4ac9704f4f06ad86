import { cp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from '@playwright/test';

import { filesIn, projectVersion } from '#scripts/packages/archives';
import { root, run } from '#scripts/machine/processes';
import { alterProject, unpackSources, unzipArchive } from '#tests/support/unpacked';

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

test('npm run zip packs the builds of a folder that is no git clone with the same bytes, and no sources', async () => {
  const folder = await unpackSources(await archive('sources'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  // release.spec.ts builds from these sources; here the builds are there already.
  await cp(output, join(folder, '.output'), { recursive: true });
  await alterProject(join(folder, 'package.json'), (project) => {
    for (const build of ['build:chromium', 'build:firefox']) project.scripts[build] = 'exit 0';
  });
  const { code, output: printed } = await run('node', ['scripts/zip.ts'], { cwd: folder });
  expect(printed).toContain('No archive of the sources: this folder is no git clone');
  expect(code).toBe(0);
  const archives = (await readdir(join(folder, '.output'))).filter((name) => name.endsWith('.zip'));
  expect(archives).toHaveLength(2);
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

test('a page or a script names each style sheet of an archive', async () => {
  for (const kind of ['chrome', 'firefox'] as const) {
    const files = await unzipArchive(await archive(kind));
    const readers = files.filter(({ path }) => /\.(?:html|js)$/.test(path));
    const named = readers.map(({ content }) => new TextDecoder().decode(content)).join('\n');
    const sheets = files.map(({ path }) => path).filter((path) => path.endsWith('.css'));
    expect(sheets).toContain('assets/desk.css');
    expect(sheets.filter((path) => !named.includes(path))).toEqual([]);
  }
});
