import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { root, run } from '#scripts/machine/processes';

let memory = '';
beforeEach(async () => {
  memory = await mkdtemp(join(tmpdir(), 'counterfoil-memory-'));
});
afterEach(async () => {
  await rm(memory, { recursive: true, force: true });
});

const program = `import { writeFileSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { keepTemporaryFilesInMemory } from ${JSON.stringify(join(root, 'scripts/machine/memory-folder.ts'))};
  const [folder, neededBytes] = process.argv.slice(1);
  keepTemporaryFilesInMemory(folder, Number(neededBytes));
  if (tmpdir().startsWith(folder)) writeFileSync(tmpdir() + '/left-behind', '');
  console.log(tmpdir());`;

/** Returns where a program keeps temporary files that wants them in this folder. */
async function temporaryFolder(
  wanted: string,
  { neededBytes = 1, TMPDIR }: { neededBytes?: number; TMPDIR?: string } = {},
): Promise<string> {
  const args = ['--input-type=module', '--eval', program, wanted, String(neededBytes)];
  // Node asks these two where there is no TMPDIR.
  const env = { ...process.env, TMPDIR, TMP: undefined, TEMP: undefined };
  const { output, code } = await run('node', args, { env });
  expect(code, output).toBe(0);
  return output.trim();
}

test('temporary files lie in memory, and are gone with the program', async () => {
  const used = await temporaryFolder(memory);
  expect(dirname(used)).toBe(memory);
  expect(existsSync(used)).toBe(false);
  expect(readdirSync(memory)).toEqual([]);
});

test.each([
  ['there is no such folder', '/no/such/folder', {}],
  ['it has not the room', undefined, { neededBytes: 2 ** 60 }],
])('they stay where the system keeps them when %s', async (_, wanted, options) => {
  expect(await temporaryFolder(wanted ?? memory, options)).toBe('/tmp');
  expect(readdirSync(memory)).toEqual([]);
});

test('they stay where TMPDIR says', async () => {
  expect(await temporaryFolder(join(memory, 'other'), { TMPDIR: memory })).toBe(memory);
});
