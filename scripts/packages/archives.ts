import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import JSZip from 'jszip';

import { Refusal } from '#scripts/command-line/refusal';
import { root, run } from '#scripts/machine/processes';

/** Where WXT builds, and where the archives are written. */
const output = join(root, '.output');

const builds = [
  { browser: 'chrome', folder: 'chrome-mv3', script: 'build:chromium' },
  { browser: 'firefox', folder: 'firefox-mv3', script: 'build:firefox' },
] as const;

type Browser = (typeof builds)[number]['browser'];

export async function projectVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}

/**
 * Builds the extension for both browsers or for one, one after the other, as both write the types in `.wxt`, and packs
 * each build. Removes the archives of earlier versions.
 * @returns the paths of the archives
 */
export async function writeExtensionPackages(only?: Browser): Promise<string[]> {
  const wanted = builds.filter(({ browser }) => only === undefined || browser === only);
  for (const { script } of wanted) {
    const { code, output: text } = await run('npm', ['run', '--silent', script]);
    if (code !== 0) throw new Refusal(`The extension does not build:\n${text.trimEnd()}`);
  }
  await removeArchives();
  const version = await projectVersion();
  return Promise.all(
    wanted.map(async ({ browser, folder }) => {
      const archive = await zipArchive(await filesIn(join(output, folder)));
      return writeArchive(`counterfoil-${version}-${browser}.zip`, archive);
    }),
  );
}

/** Packs what git tracks: what a reviewer needs to build the extension again. Returns the archive's path. */
export async function writeSourcePackage(): Promise<string> {
  const archive = await zipArchive(await trackedFiles());
  return writeArchive(`counterfoil-${await projectVersion()}-sources.zip`, archive);
}

async function writeArchive(name: string, archive: Uint8Array): Promise<string> {
  const path = join(output, name);
  await writeFile(path, archive);
  return path;
}

async function removeArchives(): Promise<void> {
  await mkdir(output, { recursive: true });
  const old = (await readdir(output)).filter((name) => name.endsWith('.zip'));
  await Promise.all(old.map((name) => rm(join(output, name))));
}

/** Tells whether a folder is the top of a git clone, and not merely somewhere in one. */
export async function isClone(): Promise<boolean> {
  const { code, output } = await run('git', ['rev-parse', '--show-prefix'], { cwd: root });
  return code === 0 && output.trim() === '';
}

/** Reads every file that git tracks in a clone, as it lies on the disk. Names that start with a dot are among them. */
async function trackedFiles(): Promise<ArchivedFile[]> {
  const { code, output } = await run('git', ['ls-files', '-z', '--stage'], { cwd: root });
  if (code !== 0) throw new Error(output);
  const lines = output.split('\0').filter((line) => line !== '');
  return Promise.all(
    lines.map(async (line) => {
      const [entry = '', path = ''] = line.split('\t');
      const content = await readFile(join(root, path));
      return { path, content, executable: entry.startsWith('100755') };
    }),
  );
}

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
