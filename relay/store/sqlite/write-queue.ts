import type { DatabaseSync } from 'node:sqlite';

/** Runs writes in groups: one durable commit for all that were asked for in one turn of the event loop. */
export interface WriteQueue {
  /**
   * Runs `work` in the next transaction, which holds the database's write lock, and resolves after its commit. A throw undoes this
   * work alone and rejects; a failed commit rejects all.
   */
  readonly write: <T>(work: () => T) => Promise<T>;
}

interface Entry {
  /** Returns what to do after the commit. */
  readonly run: () => () => void;
  readonly reject: (reason: unknown) => void;
}

/** Creates the queue of one database. */
export function createWriteQueue(database: DatabaseSync): WriteQueue {
  let waiting: Entry[] = [];

  function flush(): void {
    const entries = waiting;
    waiting = [];
    try {
      database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      for (const { reject } of entries) reject(error);
      return;
    }
    const done: { readonly settle: () => void; readonly reject: Entry['reject'] }[] = [];
    try {
      for (const { run, reject } of entries) {
        database.exec('SAVEPOINT one');
        try {
          done.push({ settle: run(), reject });
        } catch (error) {
          database.exec('ROLLBACK TO one');
          reject(error);
        }
        database.exec('RELEASE one');
      }
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      for (const { reject } of entries) reject(error);
      return;
    }
    for (const { settle } of done) settle();
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
