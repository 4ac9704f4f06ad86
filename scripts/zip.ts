import { stat } from 'node:fs/promises';
import { relative } from 'node:path';

import { writeExtensionPackages, writeSourcePackage } from '#scripts/packages/extension-packages';
import { isClone } from '#scripts/packages/tracked-files';
import { endAllOnSignals, root } from '#scripts/processes';
import { runCommand } from '#scripts/refusal';

endAllOnSignals();

/** Builds the extension and writes the archives for the stores, and the archive of the sources that a review asks for. */
await runCommand(async () => {
  const archives = await writeExtensionPackages();
  if (await isClone()) archives.push(await writeSourcePackage());
  else
    console.log(
      'No archive of the sources: this folder is no git clone, so nothing says which files are sources.',
    );
  for (const archive of archives) {
    const { size } = await stat(archive);
    console.log(`${relative(root, archive)}: ${String(size)} bytes`);
  }
  return 0;
});
