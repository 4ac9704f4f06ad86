import { mkdtemp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import JSZip from 'jszip';

import type { ArchivedFile } from '#scripts/packages/archives';
import { root, run } from '#scripts/machine/processes';

/** Unpacks a ZIP archive. Throws where the bytes are none. */
export async function unzipArchive(archive: Uint8Array): Promise<ArchivedFile[]> {
  const { files } = await JSZip.loadAsync(archive);
  return Promise.all(
    Object.values(files).map(async (file) => ({
      path: file.name,
      content: await file.async('uint8array'),
      executable: (Number(file.unixPermissions) & 0o111) > 0,
    })),
  );
}

/** Unpacks an archive of the sources into a new folder. @param place that it lies in */
export async function unpackSources(archive: Uint8Array, place = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(place, 'counterfoil-sources-'));
  for (const { path, content } of await unzipArchive(archive)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return folder;
}

/**
 * Gives a folder of unpacked sources the project's packages as a reviewer would install them. Links each file, as a
 * linked folder would be built from where it lies. Copies them where the disks differ.
 */
export async function linkPackages(folder: string): Promise<void> {
  const packages = join(root, 'node_modules');
  const linked = await run('cp', ['--archive', '--link', packages, folder]);
  if (linked.code !== 0) await run('cp', ['--archive', packages, folder]);
}

/** What package.json and the lockfile state, as far as tests change it. */
interface ProjectFile {
  version: string;
  readonly scripts: Record<string, string>;
  readonly packages: Readonly<Record<string, { version: string }>>;
}

/** Changes package.json or the lockfile of unpacked sources, and writes it as npm does. */
export async function alterProject(
  file: string,
  alter: (content: ProjectFile) => void,
): Promise<void> {
  const content = JSON.parse(await readFile(file, 'utf8')) as ProjectFile;
  alter(content);
  await writeFile(file, `${JSON.stringify(content, undefined, 2)}\n`);
}
