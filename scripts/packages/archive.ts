import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import JSZip from 'jszip';

export interface ArchivedFile {
  /** Path in the archive, with slashes. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly executable?: boolean;
}

/** The earliest time that a ZIP archive can state. */
const fixedTime = new Date('1980-01-01T00:00:00Z');

/**
 * Packs files into a ZIP archive. Its bytes depend on the files alone: paths are sorted, all have one time, and the
 * compression is a program of the lockfile, since the machine's own zlib may differ between processors.
 */
export async function zipArchive(files: readonly ArchivedFile[]): Promise<Uint8Array> {
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const archive = new JSZip();
  for (const { path, content, executable = false } of sorted) {
    archive.file(path, content, {
      date: fixedTime,
      createFolders: false,
      unixPermissions: executable ? 0o755 : 0o644,
    });
  }
  return archive.generateAsync({
    type: 'uint8array',
    platform: 'UNIX',
    compression: 'DEFLATE',
    compressionOptions: { level: 9 },
  });
}

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

/** Reads all files of a folder, by their paths in it. */
export async function filesIn(folder: string): Promise<ArchivedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const path = relative(folder, file).split(sep).join('/');
      return { path, content: await readFile(file) };
    }),
  );
}
