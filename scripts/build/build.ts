import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { extensionSources } from '#scripts/build/extension';
import { chromiumBuild } from '#scripts/running/extension';
import { root, run } from '#scripts/machine/processes';
import { Refusal } from '#scripts/command-line/refusal';

/** The folder that the verifier's site is built in. */
export const verifierSite = join(root, 'dist/pwa');

const sources = [...extensionSources, 'package.json'];

type Log = (line: string) => void;

/** Builds the extension for Chromium, unless the last build is newer than all its sources. */
export async function buildExtension(log: Log): Promise<void> {
  if (isFresh(join(chromiumBuild, 'manifest.json'), sources)) return;
  log('Building the extension …');
  await runBuild('build:chromium', 'The extension');
}

/** Builds the verifier's site, unless the last build is newer than all its sources. */
export async function buildVerifierSite(log: Log): Promise<void> {
  if (isFresh(join(verifierSite, 'index.html'), [...sources, 'pwa'])) return;
  log('Building the verifier …');
  await runBuild('build:pwa', 'The verifier');
}

async function runBuild(script: string, what: string): Promise<void> {
  const { code, output } = await run('npm', ['run', '--silent', script]);
  if (code !== 0) throw new Refusal(`${what} does not build:\n${output.trimEnd()}`);
}

function isFresh(built: string, from: readonly string[]): boolean {
  const found = statSync(built, { throwIfNoEntry: false });
  return found !== undefined && from.every((path) => changedAt(join(root, path)) < found.mtimeMs);
}

/**
 * Returns the latest change to a file, or to a folder and its content; a folder itself changes when a file is removed.
 */
function changedAt(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  const inside: Dirent[] = found.isDirectory() ? readdirSync(path, { withFileTypes: true }) : [];
  return Math.max(found.mtimeMs, ...inside.map(({ name }) => changedAt(join(path, name))));
}
