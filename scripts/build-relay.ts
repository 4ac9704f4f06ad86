import { statSync } from 'node:fs';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { build } from 'vite';

import { root } from '#scripts/machine/processes';
import { Refusal, runCommand } from '#scripts/command-line/refusal';

const program = 'relay.mjs';
const licenses = 'third-party.md';
/** What is copied beside the program: each file of the folder, and some of the project's, under the names that the guide calls them by. */
const deploy = join(root, 'relay/deploy');
const copies = {
  'README.md': 'docs/relay.md',
  'reference.md': 'relay/README.md',
  'SECURITY.md': 'SECURITY.md',
  LICENSE: 'LICENSE',
} as const;

await runCommand(async () => {
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/relay' } } });
  const folder = resolve(root, values.out);
  await refuseForeignFiles(folder, values.out);
  await rm(folder, { recursive: true, force: true });
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: 'relay/main.ts',
      outDir: folder,
      target: 'node24',
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

/** Refuses a folder with what a build would take away: the database and the master key of a relay that was tried in it, or a configuration that was edited there. */
async function refuseForeignFiles(folder: string, shown: string): Promise<void> {
  const configurations = await readdir(deploy);
  const ours = new Set([program, licenses, ...Object.keys(copies), ...configurations]);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new Refusal(`${shown} is no folder.`);
  const refuse = (name: string, reason: string): never => {
    throw new Refusal(
      `${shown} is emptied before each build, and holds "${name}", ${reason}: move it to another folder, then run the command again.`,
    );
  };
  const names = await readdir(folder);
  const foreign = names.find((name) => !ours.has(name));
  if (foreign !== undefined) refuse(foreign, 'which this build does not write');
  for (const name of configurations.filter((one) => names.includes(one))) {
    const [here, built] = [join(folder, name), join(deploy, name)];
    if (!(await readFile(here)).equals(await readFile(built)))
      refuse(name, 'which is not as this build writes it');
  }
}
