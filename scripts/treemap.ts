import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { buildExtension } from '#scripts/build/build';
import { parseCount, refuseUnknown, runCommand } from '#scripts/command-line/refusal';
import { chromiumBuild } from '#scripts/running/extension';
import { type PageFile, pageFiles } from '#scripts/build/module-sizes';
import { endAllOnSignals } from '#scripts/machine/processes';

/** Prints what a page fetches before it can be used: each file, in it each library and module, largest first. */
endAllOnSignals();

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      page: { type: 'string', default: 'popup.html' },
      /** Leaves out modules with fewer minified bytes. */
      least: { type: 'string', default: '200' },
    },
  });
  const least = parseCount('least', values.least, 0);
  await buildExtension(console.error);
  const pages = readdirSync(chromiumBuild).filter((name) => name.endsWith('.html'));
  refuseUnknown([values.page], pages);
  const files = pageFiles(chromiumBuild, values.page).sort((a, b) => b.gzipped - a.gzipped);
  console.log(`${values.page}: ${kilobytes(sum(files.map(({ gzipped }) => gzipped)))} gzipped\n`);
  for (const file of files) printFile(file, least);
  return 0;
});

/** A module's gzipped size is its share of the file's. */
function printFile({ path, gzipped, modules }: PageFile, least: number): void {
  console.log(`${kilobytes(gzipped)}  ${path}`);
  const share = gzipped / sum(Object.values(modules));
  const parts = Object.entries(modules).sort(([, a], [, b]) => b - a);
  for (const [module, bytes] of parts) {
    if (bytes < least) continue;
    const name = module === '' ? '(imports and exports)' : module.replace('node_modules/', '');
    console.log(`  ${kilobytes(bytes * share)}  ${String(bytes).padStart(6)}  ${name}`);
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(2).padStart(6)} kB`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
