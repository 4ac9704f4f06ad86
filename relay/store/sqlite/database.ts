import type { DatabaseSync } from 'node:sqlite';
import { schemaVersion, upgrades } from '#relay/store/sqlite/schema';
import { DatabaseLocked, DiskFull } from '#relay/store/store';

/** Reports that a newer version of the relay has written the database. */
class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
}

/**
 * Returns the report that the disk is full, or the database locked, in place of what SQLite or a sync threw for it; anything else as it
 * is. SQLite says SQLITE_FULL (13), or SQLITE_IOERR (10) where a file beside the database could not grow.
 */
export function inWords(error: unknown): unknown {
  const { code, errcode = 0 } = error as { readonly code?: string; readonly errcode?: number };
  const primary = errcode & 0xff;
  if (code === 'ENOSPC' || [10, 13].includes(primary)) return new DiskFull({ cause: error });
  return primary === 5 ? new DatabaseLocked({ cause: error }) : error;
}

/** Shorter than the 600 ms within which a call ends when the database is gone. */
const busyTimeoutMs = 500;

/**
 * Opens the relay's database and brings its schema up to date, every step in one transaction.
 * @param path a file, which is made where it is missing
 * @param mayTry is asked once the disk is full, whether there is room now
 * @throws NewerSchema when the schema is newer than this program, DiskFull, DatabaseLocked
 */
export function openDatabase(path: string, mayTry = (): boolean => false): DatabaseSync {
  try {
    return open(path);
  } catch (error) {
    if (error instanceof DiskFull && mayTry()) return open(path);
    throw error;
  }
}

function open(path: string): DatabaseSync {
  // Asked for here and not imported, so that on an older Node the program starts and says what it needs.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
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
    throw inWords(error);
  }
}

function upgrade(database: DatabaseSync): void {
  const version = (): number =>
    Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  // Asked before as well, so that a command on a full disk writes nothing here.
  if (version() === schemaVersion) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const found = version();
    if (found > schemaVersion) {
      throw new NewerSchema(
        `The database has schema ${String(found)}; this relay knows ${String(schemaVersion)}.`,
      );
    }
    for (const step of upgrades.slice(found)) {
      if (typeof step === 'string') database.exec(step);
      else step(database);
    }
    database.exec(`PRAGMA user_version = ${String(schemaVersion)}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Makes a method of a synchronous read; a throw becomes a rejection. */
export function reading<A extends readonly unknown[], T>(
  read: (...args: A) => T,
): (...args: A) => Promise<T> {
  return (...args) =>
    new Promise((resolve) => {
      resolve(read(...args));
    });
}
