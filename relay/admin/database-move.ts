import { existsSync } from 'node:fs';

import { AdminProblem, takeArguments } from '#relay/admin/problem';
import { machineClocks } from '#relay/clocks';
import { openVault } from '#relay/keys/vault';
import type { Settings } from '#relay/settings';
import { moveDatabase } from '#relay/store/move-database';
import { isPostgres, nameOperator, openStore } from '#relay/store/open-store';

/** Moves an embedded database into the one in PostgreSQL that the settings name, and prints how many rows of each table. @throws AdminProblem */
export async function moveToPostgres(
  { database, keyring }: Pick<Settings, 'database' | 'keyring'>,
  args: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const [file] = takeArguments(args, 'the file of the embedded database');
  if (!isPostgres(database)) throw new AdminProblem('Set DATABASE_URL to where it is to move.');
  if (!existsSync(file)) throw new AdminProblem(`There is no database ${file}.`);
  // The keys in it must open under the master key that the instances will have.
  const store = await openStore(file, machineClocks, 'administer');
  try {
    await openVault(store, keyring());
  } finally {
    await store.close();
  }
  const moved = await moveDatabase(file, database, nameOperator());
  for (const [table, count] of moved) print(`${table}\t${String(count)}`);
  print(
    `All of it is in PostgreSQL, counted there too. ${file} is as it was: keep it as a backup.`,
  );
}
