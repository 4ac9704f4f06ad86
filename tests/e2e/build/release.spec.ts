import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from '@playwright/test';

import { projectVersion } from '#scripts/packages/archives';
import { root, run } from '#scripts/machine/processes';
import { alterProject, linkPackages, unpackSources, unzipArchive } from '#tests/support/unpacked';

let clone: string;
/** The version that the project states, and its clone releases. */
let version: string;
/** What the clone states before. */
const former = '0.0.2';

test.beforeAll(async () => {
  version = await projectVersion();
  // On the disk of the packages, so that they are linked and not copied.
  clone = await unpackSources(await packed('sources'), join(root, 'dist'));
  await linkPackages(clone);
  await alterProject(join(clone, 'package.json'), (project) => {
    project.version = former;
  });
  await alterProject(join(clone, 'package-lock.json'), (lock) => {
    lock.version = former;
    for (const [at, own] of Object.entries(lock.packages)) if (at === '') own.version = former;
  });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('config', 'user.name', 'Ada');
  await git('config', 'user.email', 'ada@fenwick.test');
  // What was released before, if the sources are those of a release.
  await appendChange();
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'feat: all of it');
});
test.afterAll(() => rm(clone, { recursive: true, force: true }));

/** Returns an archive that `npm run zip` has written. */
async function packed(kind: 'chrome' | 'firefox' | 'sources'): Promise<Buffer> {
  return readFile(join(root, '.output', `counterfoil-${version}-${kind}.zip`));
}

async function appendChange(): Promise<void> {
  const file = join(clone, 'CHANGELOG.md');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('## Unreleased\n', '## Unreleased\n\n- A change.\n'));
}

async function git(...args: string[]): Promise<string> {
  const { code, output } = await run('git', args, { cwd: clone });
  if (code !== 0) throw new Error(output);
  return output;
}

/** The project's own texts may be translated later. */
const command = ['scripts/release.ts', '--untranslated'];

async function release(
  ...args: string[]
): Promise<{ readonly code: number; readonly output: string }> {
  return run('node', [...command, ...args], { cwd: clone });
}

test('a release is refused with one sentence where its version or its files are not fit', async () => {
  const older = await release('0.0.1');
  expect(older.output).toMatch(/^Give the new version, three numbers later than [\d.]+: .*\n$/);
  expect(older.code).toBe(1);
  const two = await release(version, '9.9.9');
  expect([two.code, two.output]).toEqual([1, older.output]);

  await writeFile(join(clone, 'stray.txt'), '');
  const unclean = await release(version);
  expect(unclean.output).toBe(
    'A release is made from committed files alone, and this is not committed: stray.txt. Commit it or remove it, then run the command again.\n',
  );
  expect(unclean.code).toBe(1);
  await rm(join(clone, 'stray.txt'));

  const tag = `v${version}`;
  await git('tag', tag);
  const tagged = await release(version);
  await git('tag', '--delete', tag);
  expect([tagged.code, tagged.output]).toEqual([
    1,
    `The tag ${tag} is there already: remove it, or give a later version.\n`,
  ]);
});

test('a release is refused where a language lacks a text, unless that is allowed', async () => {
  await git('rm', '--quiet', 'locales/de/undo.json');
  await git('commit', '--quiet', '--message', 'feat: leave it in English');
  const { code, output } = await run('node', ['scripts/release.ts', version], { cwd: clone });
  await git('reset', '--quiet', '--hard', 'HEAD~1');
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^Texts that are not translated into every language: [1-9]\d*\. .*\n$/),
  ]);
});

test('a release is refused before anything is built where Git does not know who commits', async () => {
  await git('config', 'user.useConfigOnly', 'true');
  await git('config', '--unset', 'user.email');
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const told = await run('node', [...command, version], { cwd: clone, env });
  await git('config', 'user.email', 'ada@fenwick.test');
  expect([told.code, told.output]).toEqual([
    1,
    expect.stringMatching(/^Git does not know who commits: .*\n$/),
  ]);
});

test('a release that does not build leaves the files as they were', async () => {
  const icon = join(clone, 'wxt.config.ts');
  const config = await readFile(icon, 'utf8');
  await writeFile(icon, 'throw new Error("broken");\n');
  await git('commit', '--quiet', '--all', '--message', 'feat: break it');
  const { code, output } = await release(version);
  expect([code, output]).toEqual([1, expect.stringContaining('The extension does not build:')]);
  expect(await git('status', '--porcelain')).toBe('');
  expect(await git('tag')).toBe('');
  await writeFile(icon, config);
  await git('commit', '--quiet', '--all', '--message', 'fix: mend it');
});

test('a release that is interrupted leaves the files as they were', async () => {
  const running = spawn(process.execPath, [...command, version], {
    cwd: clone,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(running.stdout, 'data');
  expect(await git('status', '--porcelain')).toContain('package.json');
  running.kill('SIGINT');
  await once(running, 'exit');
  expect(await git('status', '--porcelain')).toBe('');
  expect(await git('tag')).toBe('');
});

test('one command writes the version, the archives with the same bytes as from another folder, a bill of materials and checksums, and tags them', async () => {
  // It builds everything: two minutes on a busy machine.
  test.setTimeout(900_000);
  const { code, output } = await release(version);
  expect(output).toContain('Nothing was pushed or published.');
  expect(code).toBe(0);

  const folder = join(clone, 'dist/release', version);
  const archives = ['chrome', 'firefox', 'relay', 'sources', 'verifier-site'];
  expect((await readdir(folder)).toSorted()).toEqual(
    [
      ...archives.map((kind) => `counterfoil-${version}-${kind}.zip`),
      'SHA256SUMS',
      `counterfoil-${version}-relay-${process.platform}-${process.arch}`,
      `counterfoil-${version}.cdx.json`,
    ].toSorted(),
  );
  const sums = await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
  expect(sums.output.match(/: OK$/gm)).toHaveLength(archives.length + 2);
  expect(sums.code).toBe(0);

  // The clone is what the archive of the sources holds, in another folder.
  for (const kind of ['chrome', 'firefox'] as const) {
    const again = await readFile(join(folder, `counterfoil-${version}-${kind}.zip`));
    expect(again.equals(await packed(kind)), kind).toBe(true);
  }

  const sources = await filesOf('sources');
  const number = RegExp.escape(version);
  expect(sources['package.json']).toContain(`"version": "${version}"`);
  expect(sources['CHANGELOG.md']).toMatch(
    new RegExp(`## Unreleased\\n\\n## ${number} \\(\\d{4}-\\d\\d-\\d\\d\\)\\n\\n- A change`),
  );
  expect((await filesOf('chrome'))['manifest.json']).toContain(`"version":"${version}"`);
  expect(Object.keys(await filesOf('relay'))).toContain('relay.mjs');
  expect(Object.keys(await filesOf('verifier-site'))).toContain('service-worker.js');

  expect(await git('status', '--porcelain')).toBe('');
  expect(await git('describe')).toBe(`v${version}\n`);
  const [subject, ...changed] = (await git('show', '--stat', '--format=%s')).split('\n');
  expect(subject).toBe(`chore: release ${version}`);
  expect(changed.join('\n')).toMatch(
    /^\n CHANGELOG\.md +\| .*\n package-lock\.json +\| +4 .*\n package\.json +\| +2 /,
  );

  async function filesOf(kind: string): Promise<Record<string, string>> {
    const archive = await readFile(join(folder, `counterfoil-${version}-${kind}.zip`));
    const files = await unzipArchive(archive);
    return Object.fromEntries(
      files.map(({ path, content }) => [path, Buffer.from(content).toString('utf8')]),
    );
  }
});
