import type { DatabaseSync } from 'node:sqlite';

import { inWords } from '#relay/store/sqlite/database';

/** Runs writes in groups: one commit for all that were asked for in one turn of the event loop. */
export interface WriteQueue {
  /**
   * Runs `work` in the next transaction, which holds the database's write lock, and resolves once its commit is on the disk. A throw
   * undoes this work alone and rejects; a failed commit or sync rejects all. Where the disk is full, it rejects with `DiskFull`; where another
   * process holds the lock, with `DatabaseLocked`.
   */
  readonly write: <T>(work: () => T) => Promise<T>;
  /** Runs `work`, which must change nothing, while the write lock is held: before the writes of the next transaction, whatever becomes of it. */
  readonly hold: <T>(work: () => T) => Promise<T>;
}

interface Entry {
  /** Returns what to do after the commit. */
  readonly run: () => () => void;
  readonly reject: (reason: unknown) => void;
}

/** Creates the queue of one database. @param onDisk resolves once every commit before it is on the disk */
export function createWriteQueue(database: DatabaseSync, onDisk: () => Promise<void>): WriteQueue {
  let waiting: { readonly holds: Entry[]; readonly writes: Entry[] } | undefined;
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
    const { holds, writes } = waiting ?? { holds: [], writes: [] };
    waiting = undefined;
    const rejectAll = (all: readonly Pick<Entry, 'reject'>[], error: unknown): void => {
      const reason = inWords(error);
      for (const { reject } of all) reject(reason);
    };
    try {
      begin();
    } catch (error) {
      rejectAll([...holds, ...writes], error);
      return;
    }
    for (const { run, reject } of holds) {
      try {
        run()();
      } catch (error) {
        reject(error);
      }
    }
    const before = countChanges();
    const done: { readonly settle: () => void; readonly reject: Entry['reject'] }[] = [];
    try {
      for (const { run, reject } of writes) {
        savepoint();
        try {
          done.push({ settle: run(), reject });
        } catch (error) {
          // A full disk ends the transaction, and so undoes the others.
          if (!database.isTransaction) throw error;
          undo();
          rejectAll([{ reject }], error);
        }
        release();
      }
      commit();
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      rejectAll(writes, error);
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

  const queued =
    (kind: 'holds' | 'writes') =>
    <T>(work: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        if (waiting === undefined) setImmediate(flush);
        waiting ??= { holds: [], writes: [] };
        waiting[kind].push({
          reject,
          run: () => {
            const value = work();
            return () => {
              resolve(value);
            };
          },
        });
      });
  return { write: queued('writes'), hold: queued('holds') };
}
