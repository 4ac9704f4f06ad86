import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { createAuthority } from '#sandbox/authority/server';
import { writeSamples } from '#sandbox/samples/write';

// npm run samples [DIR] [-- --db PATH]: the sandbox need not be running, and may be.
const inSandbox = (path: string): string =>
  fileURLToPath(new URL(`../../.sandbox/${path}`, import.meta.url));

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { db: { type: 'string', default: inSandbox('sandbox.db') } },
  });
  const [folder = inSandbox('samples'), ...others] = positionals;
  if (others.length > 0) throw new Error('one folder is enough');

  mkdirSync(dirname(values.db), { recursive: true });
  const database = new DatabaseSync(values.db);
  const count = writeSamples(folder, createAuthority({ database }));
  database.close();
  process.stdout.write(`${String(count)} license files and public-key.pem are in ${folder}\n`);
} catch (error) {
  process.stderr.write(
    `The samples cannot be written: ${error instanceof Error ? error.message : String(error)}.\n`,
  );
  process.exitCode = 1;
}
