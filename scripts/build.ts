import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { chromiumBuild } from '#scripts/extension';
import { root, run } from '#scripts/processes';
import { Refusal } from '#scripts/refusal';

/** All that the build is made from. */
const sources = [
  'core',
  'messaging',
  'adapters',
  'background',
  'stores',
  'components',
  'entrypoints',
  'locales',
  'public',
  'wxt.config.ts',
  'package.json',
  'package-lock.json',
];

/** Builds the extension for Chromium, unless what is there is newer than everything it is made from. */
export async function buildExtension(say: (line: string) => void): Promise<void> {
  const built = statSync(join(chromiumBuild, 'manifest.json'), { throwIfNoEntry: false });
  if (built !== undefined && sources.every((path) => changedAt(join(root, path)) < built.mtimeMs)) {
    return;
  }
  say('Building the extension …');
  const { code, output } = await run('npm', ['run', '--silent', 'build:chromium']);
  if (code !== 0) throw new Refusal(`The extension does not build:\n${output.trimEnd()}`);
}

/** The latest change to a file, or to a folder and all in it; a folder itself changes when something leaves it. */
function changedAt(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  const inside: Dirent[] = found.isDirectory() ? readdirSync(path, { withFileTypes: true }) : [];
  return Math.max(found.mtimeMs, ...inside.map(({ name }) => changedAt(join(path, name))));
}
