import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { Refusal } from '#scripts/command-line/refusal';
import { root, run } from '#scripts/machine/processes';

/**
 * Installs what one command alone runs, by the lockfile of its folder, and returns the path of its program. With the
 * packages of these commands every other installation would take a third longer.
 * @param folder in `scripts/`, named as the program is
 */
export async function obtainProgram(folder: 'lighthouse' | 'stryker'): Promise<string> {
  const place = join(root, 'node_modules/.cache', folder);
  await mkdir(place, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(join(root, 'scripts', folder, file), join(place, file));
  const { code, output } = await run('npm', ['ci', '--ignore-scripts'], { cwd: place });
  if (code !== 0) throw new Refusal(`${folder} cannot be installed: ${output.trim()}`);
  return join(place, 'node_modules/.bin', folder);
}
