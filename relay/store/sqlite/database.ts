import { DatabaseSync } from 'node:sqlite';

import { upgrades } from '#relay/store/sqlite/schema';

/** Reports that a newer version of the relay has written the database. */
class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
}

/** Shorter than the 600 ms within which a call ends when the database is gone. */
const busyTimeoutMs = 500;

/**
 * Opens the relay's database and brings its schema up to date, every step in one transaction.
 * @param path a file, which is made where it is missing
 * @throws NewerSchema when the schema is newer than this program
 */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    database.exec(`
      PRAGMA journal_mode = WAL;
      -- A commit writes to the log alone. The log is synced beside the event loop, before the commit counts (disk-sync.ts).
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
    `);
    upgrade(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function upgrade(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version > upgrades.length) {
      throw new NewerSchema(
        `The database has schema ${String(version)}; this relay knows ${String(upgrades.length)}.`,
      );
    }
    for (const step of upgrades.slice(version)) database.exec(step);
    database.exec(`PRAGMA user_version = ${String(upgrades.length)}`);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
