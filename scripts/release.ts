import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import { verifierSite } from '#scripts/build/build';
import {
  filesIn,
  isClone,
  projectVersion,
  writeExtensionPackages,
  writeSourcePackage,
  zipArchive,
} from '#scripts/packages/archives';
import { isLater, isVersion, releaseChanges } from '#scripts/packages/changelog';
import { licensedIn } from '#scripts/packages/licenses';
import { billOfMaterials } from '#scripts/packages/sbom';
import { endAllOnSignals, root, run } from '#scripts/machine/processes';
import { Refusal, runCommand } from '#scripts/command-line/refusal';
import {
  findUntranslated,
  readOrigins,
  readTexts,
  readTranslations,
} from '#scripts/translations/texts';

endAllOnSignals();

/** The files that a release changes. */
const stated = ['package.json', 'package-lock.json', 'CHANGELOG.md'];

/**
 * States a version, writes everything that is handed out, with checksums and a bill of materials, and commits and tags
 * it.
 */
await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { untranslated: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const version = await readVersion(positionals);
  await refuseUnclean();
  if (!values.untranslated) refuseUntranslated();
  await refuseNameless();
  await refuseTag(`v${version}`);
  const date = new Date().toISOString().slice(0, 10);
  // Also where a signal ends the command, or Git refuses the commit.
  process.once('exit', restoreFiles);
  await stateVersion(version, date);
  await writeRelease(join(root, 'dist/release', version), version, date);
  await git('add', '--', ...stated);
  await git('commit', '--quiet', '--message', `chore: release ${version}`);
  process.off('exit', restoreFiles);
  await git('tag', '--annotate', `v${version}`, '--message', `Counterfoil ${version}`);
  console.log(
    `dist/release/${version} holds the release, v${version} is its tag. Nothing was pushed or published.`,
  );
  return 0;
});

/** Takes the new version out of the files again. */
function restoreFiles(): void {
  const restore = ['checkout', '--quiet', 'HEAD', '--', ...stated];
  const { status } = spawnSync('git', restore, { cwd: root });
  if (status === 0) return;
  console.error(
    `Git could not take the new version out of the files again. To do so: git ${restore.join(' ')}`,
  );
}

async function readVersion([version = '', ...others]: readonly string[]): Promise<string> {
  const now = await projectVersion();
  if (others.length > 0 || !isVersion(version) || !isLater(version, now)) {
    throw new Refusal(
      `Give the new version, three numbers later than ${now}: npm run release -- 1.2.3`,
    );
  }
  return version;
}

async function refuseUnclean(): Promise<void> {
  if (!(await isClone()))
    throw new Refusal('A release is made from a git clone, which this folder is not.');
  const changes = (await git('status', '--porcelain')).trimEnd().split('\n').filter(Boolean);
  const [first] = changes;
  if (first === undefined) return;
  const others = changes.length === 1 ? '' : ` and ${String(changes.length - 1)} more`;
  throw new Refusal(
    `A release is made from committed files alone, and this is not committed: ${first.slice(3)}${others}. Commit it or remove it, then run the command again.`,
  );
}

/** A text that a language lacks is shown in English. */
function refuseUntranslated(): void {
  const { size } = findUntranslated(readTexts('en'), readOrigins(), readTranslations());
  if (size === 0) return;
  throw new Refusal(
    `Texts that are not translated into every language: ${String(size)}. See them with npm run translations, or release all the same with --untranslated.`,
  );
}

/** Git asks who commits at the last step alone. */
async function refuseNameless(): Promise<void> {
  for (const who of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    if ((await run('git', ['var', who])).code === 0) continue;
    throw new Refusal(
      'Git does not know who commits: git config user.name "Your Name", git config user.email you@example.org, then run the command again.',
    );
  }
}

async function refuseTag(tag: string): Promise<void> {
  if ((await git('tag', '--list', tag)) === '') return;
  throw new Refusal(`The tag ${tag} is there already: remove it, or give a later version.`);
}

async function stateVersion(version: string, date: string): Promise<void> {
  const changelog = releaseChanges(await readText('CHANGELOG.md'), version, date);
  if (changelog === undefined)
    throw new Refusal('CHANGELOG.md has nothing under "Unreleased" to be released.');
  await writeFile(join(root, 'CHANGELOG.md'), changelog);
  const project = JSON.parse(await readText('package.json')) as object;
  await writeJson('package.json', { ...project, version });
  const { packages, ...lock } = JSON.parse(await readText('package-lock.json')) as {
    readonly packages: Readonly<Record<string, object>>;
  };
  const { atime, mtime } = await stat(join(root, 'package-lock.json'));
  await writeJson('package-lock.json', {
    ...lock,
    version,
    packages: { ...packages, '': { ...packages[''], version } },
  });
  // It keeps its time: a newer one would have every package installed again.
  await utimes(join(root, 'package-lock.json'), atime, mtime);
}

/** Builds everything and writes the archives, the bill of materials and, last, the checksums. */
async function writeRelease(folder: string, version: string, date: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  console.log('Building …');
  const packages = [...(await writeExtensionPackages()), await writeSourcePackage()];
  await Promise.all(packages.map((path) => copyFile(path, join(folder, basename(path)))));
  await buildBy('build:pwa');
  // In a folder of its own: `dist/relay` may hold files of whoever tries the relay there.
  const relayFolder = join(folder, 'relay');
  const executable = `counterfoil-${version}-relay-${process.platform}-${process.arch}`;
  const options = ['--out', relayFolder, '--executable', join(folder, executable)];
  await buildBy('build:relay', '--', ...options);
  const extensions = ['chrome-mv3', 'firefox-mv3'].map((build) => join(root, '.output', build));
  const bundled = [...extensions, verifierSite].flatMap(licensedIn);
  const relay = await zipArchive(await filesIn(relayFolder));
  await rm(relayFolder, { recursive: true });
  const site = await zipArchive(await filesIn(verifierSite));
  await writeFile(join(folder, `counterfoil-${version}-relay.zip`), relay);
  await writeFile(join(folder, `counterfoil-${version}-verifier-site.zip`), site);
  const bill = billOfMaterials(version, date, bundled);
  await writeFile(join(folder, `counterfoil-${version}.cdx.json`), jsonText(bill));
  await writeChecksums(folder);
}

/** Writes `SHA256SUMS`, as `sha256sum --check` reads it. */
async function writeChecksums(folder: string): Promise<void> {
  const files = (await filesIn(folder)).toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const lines = files.map(
    ({ path, content }) => `${createHash('sha256').update(content).digest('hex')}  ${path}\n`,
  );
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
  for (const line of lines) process.stdout.write(line);
}

async function buildBy(script: string, ...args: string[]): Promise<void> {
  // Straight to the script: npm would first look whether packages are to be installed.
  const npm = ['run', '--silent', '--ignore-scripts', script, ...args];
  const { code, output } = await run('npm', npm);
  if (code !== 0) throw new Refusal(`${script} failed:\n${output.trimEnd()}`);
}

async function git(...args: string[]): Promise<string> {
  const { code, output } = await run('git', args);
  if (code !== 0) throw new Refusal(`git ${args.join(' ')} failed:\n${output.trimEnd()}`);
  return output;
}

function readText(file: string): Promise<string> {
  return readFile(join(root, file), 'utf8');
}

function writeJson(file: string, content: unknown): Promise<void> {
  return writeFile(join(root, file), jsonText(content));
}

function jsonText(content: unknown): string {
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
