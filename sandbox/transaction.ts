import type { DatabaseSync } from 'node:sqlite';

/** Runs the work as one transaction that no other process can interleave with; a throw undoes all of it. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
