import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { run } from '#scripts/processes';

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
    `${folder} is emptied before each build, and holds "master.key", which no build wrote: move it to another folder, then run the command again.\n`,
  ]);
  expect(await readdir(folder)).toHaveLength(3);
});

test('a file is not replaced by the folder', async () => {
  const file = join(folder, 'notes.txt');
  await writeFile(file, 'mine');
  const { code, output } = await build(file);
  expect([code, output]).toEqual([1, `${file} is no folder.\n`]);
  expect(await readFile(file, 'utf8')).toBe('mine');
});
