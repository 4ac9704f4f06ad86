import { statSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { build } from 'vite';

import { root } from '#scripts/processes';
import { Refusal, runCommand } from '#scripts/refusal';

const program = 'relay.mjs';
const licenses = 'third-party.md';
/** What is copied beside the program: each file of the folder, and two of the project's under names of their own. */
const deploy = join(root, 'relay/deploy');
const copies = { 'README.md': 'docs/relay.md', LICENSE: 'LICENSE' } as const;

await runCommand(async () => {
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/relay' } } });
  const folder = resolve(root, values.out);
  await refuseForeignFiles(folder, values.out);
  await rm(folder, { recursive: true, force: true });
  await build({
    ...{ root, configFile: false, publicDir: false, logLevel: 'warn' },
    ssr: { noExternal: true },
    build: {
      ...{ ssr: 'relay/main.ts', outDir: folder, target: 'node24' },
      license: { fileName: licenses },
      rolldownOptions: {
        // PostgreSQL's driver asks for it only where it is wanted by name.
        external: ['pg-native'],
        output: { entryFileNames: program, codeSplitting: false },
      },
    },
  });
  await cp(deploy, folder, { recursive: true });
  for (const [name, from] of Object.entries(copies)) await cp(join(root, from), join(folder, name));
  console.log(`${values.out} is ready to be copied; it runs with Node 24: node ${program}`);
  return 0;
});

/** Refuses a folder with files that no build writes, such as the database and the master key of a relay that was tried in it. */
async function refuseForeignFiles(folder: string, shown: string): Promise<void> {
  const ours = new Set([program, licenses, ...Object.keys(copies), ...(await readdir(deploy))]);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new Refusal(`${shown} is no folder.`);
  const foreign = (await readdir(folder)).find((name) => !ours.has(name));
  if (foreign === undefined) return;
  throw new Refusal(
    `${shown} is emptied before each build, and holds "${foreign}", which no build wrote: move it to another folder, then run the command again.`,
  );
}
