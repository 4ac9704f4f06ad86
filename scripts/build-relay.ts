import { cp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { build } from 'vite';

import { root } from '#scripts/processes';
import { runCommand } from '#scripts/refusal';

await runCommand(async () => {
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/relay' } } });
  const folder = resolve(root, values.out);
  await rm(folder, { recursive: true, force: true });
  await build({
    ...{ root, configFile: false, publicDir: false, logLevel: 'warn' },
    ssr: { noExternal: true },
    build: {
      ...{ ssr: 'relay/main.ts', outDir: folder, target: 'node24' },
      license: { fileName: 'third-party.md' },
      rolldownOptions: {
        // PostgreSQL's driver asks for it only where it is wanted by name.
        external: ['pg-native'],
        output: { entryFileNames: 'relay.mjs', codeSplitting: false },
      },
    },
  });
  await cp(join(root, 'relay/deploy'), folder, { recursive: true });
  await cp(join(root, 'docs/relay.md'), join(folder, 'README.md'));
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  console.log(`${values.out} is ready to be copied; it runs with Node 24: node relay.mjs`);
  return 0;
});
