import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { unzipArchive } from '#scripts/packages/archive';
import { root, run } from '#scripts/processes';

/** Unpacks an archive of the sources into a folder outside the project, and gives it the project's packages as a reviewer would install them. */
export async function unpackSources(archive: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-sources-'));
  for (const { path, content } of await unzipArchive(archive)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await linkPackages(folder);
  return folder;
}

/** Links each file, as a linked folder would be built from where it lies. Copies them where the disks differ. */
async function linkPackages(folder: string): Promise<void> {
  const packages = join(root, 'node_modules');
  const linked = await run('cp', ['--archive', '--link', packages, folder]);
  if (linked.code !== 0) await run('cp', ['--archive', packages, folder]);
}
