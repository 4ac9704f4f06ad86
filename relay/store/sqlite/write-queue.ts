import type { DatabaseSync } from 'node:sqlite';

import { asDiskFull } from '#relay/store/sqlite/database';

/** Runs writes in groups: one commit for all that were asked for in one turn of the event loop. */
export interface WriteQueue {
  /**
   * Runs `work` in the next transaction, which holds the database's write lock, and resolves once its commit is on the disk. A throw
   * undoes this work alone and rejects; a failed commit or sync rejects all. Where the disk is full, it rejects with `DiskFull`.
   */
  readonly write: <T>(work: () => T) => Promise<T>;
}

interface Entry {
  /** Returns what to do after the commit. */
  readonly run: () => () => void;
  readonly reject: (reason: unknown) => void;
}

/** Creates the queue of one database. @param onDisk resolves once every commit before it is on the disk */
export function createWriteQueue(database: DatabaseSync, onDisk: () => Promise<void>): WriteQueue {
  let waiting: Entry[] = [];
  const statement = (sql: string): (() => void) => {
    const prepared = database.prepare(sql);
    return () => {
      prepared.run();
    };
  };
  const begin = statement('BEGIN IMMEDIATE');
  const commit = statement('COMMIT');
  const savepoint = statement('SAVEPOINT one');
  const undo = statement('ROLLBACK TO one');
  const release = statement('RELEASE one');
  const changes = database.prepare('SELECT total_changes() AS n');
  const countChanges = (): unknown => changes.get()?.['n'];

  function flush(): void {
    const entries = waiting;
    waiting = [];
    const rejectAll = (all: readonly Pick<Entry, 'reject'>[], error: unknown): void => {
      const reason = asDiskFull(error);
      for (const { reject } of all) reject(reason);
    };
    try {
      begin();
    } catch (error) {
      rejectAll(entries, error);
      return;
    }
    const before = countChanges();
    const done: { readonly settle: () => void; readonly reject: Entry['reject'] }[] = [];
    try {
      for (const { run, reject } of entries) {
        savepoint();
        try {
          done.push({ settle: run(), reject });
        } catch (error) {
          // A full disk ends the transaction, and so undoes the others.
          if (!database.isTransaction) throw error;
          undo();
          reject(error);
        }
        release();
      }
      commit();
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      rejectAll(entries, error);
      return;
    }
    const settleAll = (): void => {
      for (const { settle } of done) settle();
    };
    if (countChanges() === before) {
      settleAll();
      return;
    }
    onDisk().then(settleAll, (error: unknown) => {
      rejectAll(done, error);
    });
  }

  return {
    write: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({
          reject,
          run: () => {
            const value = work();
            return () => {
              resolve(value);
            };
          },
        });
      }),
  };
}
