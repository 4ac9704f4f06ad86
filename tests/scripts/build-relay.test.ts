import { appendFile, copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { root, run } from '#scripts/machine/processes';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-folder-'));
});
afterEach(() => rm(folder, { recursive: true }));

const build = (out: string): ReturnType<typeof run> =>
  run('node', ['scripts/build-relay.ts', '--out', out]);

test('a folder in which a relay has run is not emptied', async () => {
  for (const name of ['relay.mjs', 'relay.env', 'master.key'])
    await writeFile(join(folder, name), 'a');
  const { code, output } = await build(folder);
  expect([code, output]).toEqual([
    1,
    `${folder} is emptied before each build, and holds "master.key", which this build does not write: move it to another folder, then run the command again.\n`,
  ]);
  expect(await readdir(folder)).toHaveLength(3);
});

test('a folder in which a configuration was edited is not emptied', async () => {
  const deploy = join(root, 'relay/deploy');
  await copyFile(join(deploy, 'relay.env'), join(folder, 'relay.env'));
  await copyFile(join(deploy, '1.env'), join(folder, '1.env'));
  await appendFile(join(folder, '1.env'), 'RELAY_NAME=Fenwick\n');
  const { code, output } = await build(folder);
  expect([code, output]).toEqual([
    1,
    `${folder} is emptied before each build, and holds "1.env", which is not as this build writes it: move it to another folder, then run the command again.\n`,
  ]);
  expect(await readFile(join(folder, '1.env'), 'utf8')).toContain('Fenwick');
});

test('a file is not replaced by the folder', async () => {
  const file = join(folder, 'notes.txt');
  await writeFile(file, 'mine');
  const { code, output } = await build(file);
  expect([code, output]).toEqual([1, `${file} is no folder.\n`]);
  expect(await readFile(file, 'utf8')).toBe('mine');
});
