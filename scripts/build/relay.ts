import { build } from 'vite';

import { joinLanguages } from '#relay/join/texts';
import { treeshake } from '#scripts/build/treeshake';
import { root } from '#scripts/machine/processes';

/** The file beside the bundle that holds the licenses of its packages. */
export const relayLicenses = 'third-party.md';

/** Bundles the relay's program, with the packages that it needs, into one file of a folder. */
export async function bundleRelay(
  folder: string,
  format: 'es' | 'cjs',
  name: string,
): Promise<void> {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    plugins: [
      {
        name: 'join-texts',
        load: (id) =>
          id.endsWith('/relay/join/texts.ts')
            ? `export const joinLanguages = ${JSON.stringify(joinLanguages)};`
            : undefined,
      },
    ],
    build: {
      ssr: 'relay/main.ts',
      outDir: folder,
      emptyOutDir: false,
      // An older Node must be able to read the program, which tells it what is needed.
      target: 'node20',
      license: { fileName: relayLicenses },
      rolldownOptions: {
        // PostgreSQL's driver asks for it only where it is wanted by name.
        external: ['pg-native'],
        treeshake,
        output: { format, entryFileNames: name, codeSplitting: false },
      },
    },
  });
}
