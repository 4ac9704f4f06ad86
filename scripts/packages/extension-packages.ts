import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Refusal } from '#scripts/command-line/refusal';
import { root, run } from '#scripts/machine/processes';
import { type ArchivedFile, filesIn, zipArchive } from '#scripts/packages/archive';

/** Where WXT builds, and where the archives are written. */
const output = join(root, '.output');

const builds = [
  { browser: 'chrome', folder: 'chrome-mv3', script: 'build:chromium' },
  { browser: 'firefox', folder: 'firefox-mv3', script: 'build:firefox' },
] as const;

type Browser = (typeof builds)[number]['browser'];

/** Returns the version that package.json states. */
export async function projectVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}

/**
 * Builds the extension for both browsers or for one, one after the other, as both write the types in `.wxt`, and packs each build.
 * Removes the archives of earlier versions.
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
export async function isClone(folder = root): Promise<boolean> {
  const { code, output } = await run('git', ['rev-parse', '--show-prefix'], { cwd: folder });
  return code === 0 && output.trim() === '';
}

/** Reads every file that git tracks in a clone, as it lies on the disk. Names that start with a dot are among them. */
async function trackedFiles(folder = root): Promise<ArchivedFile[]> {
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
