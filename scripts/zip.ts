import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';

import { isClone, writeExtensionPackages, writeSourcePackage } from '#scripts/packages/archives';
import { endAllOnSignals, root } from '#scripts/machine/processes';
import { runCommand } from '#scripts/command-line/refusal';

endAllOnSignals();

/**
 * Builds the extension and writes the archives for the stores, and the archive of the sources that a review asks for.
 * With `--chromium`, writes the archive for Chromium alone, which is what has a byte budget.
 */
await runCommand(async () => {
  const { values } = parseArgs({ options: { chromium: { type: 'boolean', default: false } } });
  const archives = await writeExtensionPackages(values.chromium ? 'chrome' : undefined);
  if (values.chromium) return list(archives);
  if (await isClone()) archives.push(await writeSourcePackage());
  else
    console.log(
      'No archive of the sources: this folder is no git clone, so nothing says which files are sources.',
    );
  return list(archives);
});

/** Prints the archives with their sizes. Returns the exit code of the process. */
async function list(archives: readonly string[]): Promise<number> {
  for (const archive of archives) {
    const { size } = await stat(archive);
    console.log(`${relative(root, archive)}: ${String(size)} bytes`);
  }
  return 0;
}
