import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { createAuthority } from '#sandbox/authority/server';
import { openDatabase } from '#sandbox/database';
import { writeSamples } from '#sandbox/samples/files';

// npm run samples [DIR] [-- --db PATH]: the sandbox need not be running, and may be.
const inSandbox = (path: string): string =>
  fileURLToPath(new URL(`../../.sandbox/${path}`, import.meta.url));

/** Reports arguments that the command does not take. */
class ArgumentProblem extends Error {}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { db: { type: 'string', default: inSandbox('sandbox.db') } },
  });
  const [folder = inSandbox('samples'), ...others] = positionals;
  if (others.length > 0) throw new ArgumentProblem('one folder is enough');

  const database = openDatabase(values.db);
  const count = writeSamples(folder, createAuthority({ database }));
  database.close();
  process.stdout.write(`${String(count)} license files and public-key.pem are in ${folder}\n`);
} catch (error) {
  // The system and Node's own modules give a code; an error without one is a defect and keeps its stack.
  if (!(error instanceof ArgumentProblem || (error instanceof Error && 'code' in error))) {
    throw error;
  }
  process.stderr.write(`The samples cannot be written: ${error.message}.\n`);
  process.exitCode = 1;
}
