import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ArchivedFile } from '#scripts/packages/archive';
import { root, run } from '#scripts/machine/processes';

/** Tells whether a folder is the top of a git clone, and not merely somewhere in one. */
export async function isClone(folder = root): Promise<boolean> {
  const { code, output } = await run('git', ['rev-parse', '--show-prefix'], { cwd: folder });
  return code === 0 && output.trim() === '';
}

/** Reads every file that git tracks in a clone, as it lies on the disk. Names that start with a dot are among them. */
export async function trackedFiles(folder = root): Promise<ArchivedFile[]> {
  const { code, output } = await run('git', ['ls-files', '-z', '--stage'], { cwd: folder });
  if (code !== 0) throw new Error(output);
  const lines = output.split('\0').filter((line) => line !== '');
  return Promise.all(
    lines.map(async (line) => {
      const [entry = '', path = ''] = line.split('\t');
      const content = await readFile(join(folder, path));
      return { path, content, executable: entry.startsWith('100755') };
    }),
  );
}
