import { randomBytes } from 'node:crypto';
import { closeSync, fdatasync, openSync, rmSync, statSync } from 'node:fs';
import { rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

import { monthBefore, startOfMonth } from '#relay/store/audit-month';
import { countMonthSql } from '#relay/store/month-count';
import { deleteOldAudit, schemaVersion, sqliteSchema } from '#relay/store/schema';
import {
  type Database,
  DatabaseLocked,
  DiskFull,
  type Row,
  type Rows,
  type Statement,
  type StoreClocks,
  type Work,
} from '#relay/store/sql';
import { Problem } from '#relay/problem';

/** Shorter than the 600 ms within which a call ends when the database is gone. */
const busyTimeoutMs = 500;
const busyPollMs = 10;
/** A revocation writes some tens of pages of 4 KiB. */
const reserveBytes = 1024 * 1024;

interface Entry {
  /** Returns what to do after the commit. */
  readonly run: () => () => void;
  readonly reject: (reason: unknown) => void;
}

/** Describes the embedded database, with what moving it away asks for. */
interface Sqlite extends Database {
  /** Runs work while nobody else has the file open. @throws DatabaseLocked when somebody has */
  alone<T>(work: () => Promise<T>): Promise<T>;
  iterate(text: string): Iterable<Row>;
}

/**
 * Opens the embedded database: one file in WAL mode, every commit on the disk before it counts. One relay at a time serves from it; the
 * command line may write to it meanwhile. Writes that are asked for in one turn of the event loop share a commit, and one sync of the
 * log serves all that wait for it. Beside the file lies one that is removed when the disk is full and somebody's rights are taken away.
 * @throws Problem when the schema is newer than this program, DiskFull, DatabaseLocked
 */
export function openSqlite(
  path: string,
  clocks: StoreClocks,
  purpose: 'serve' | 'administer',
): Sqlite {
  const reserve = createReserve(`${path}-reserve`);
  const database = openFile(path, purpose === 'administer' ? reserve.free : () => false);
  const kept = reserve.keep();
  const log = openSync(`${path}-wal`, 'r+');
  const onDisk = coalesce((done) => {
    fdatasync(log, done);
  });
  const functions = {
    clock: clocks.now,
    steady: clocks.paceNow,
    month_start: (months: unknown) =>
      months === null ? null : startOfMonth(monthBefore(clocks.now(), Number(months))),
    must: (holds: unknown) => {
      if (holds !== 1) throw new Error('Changed meanwhile.');
      return 1;
    },
  };
  for (const [name, run] of Object.entries(functions)) database.function(name, run);

  const prepared = new Map<string, StatementSync>();
  function prepare(text: string): StatementSync {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    // Whoever writes has the lock of the whole database.
    const made = database.prepare(
      text.replaceAll(/ FOR (?:NO KEY )?UPDATE(?: OF \w+| SKIP LOCKED)?/g, ''),
    );
    prepared.set(text, made);
    return made;
  }
  const run = ([text, ...values]: Statement): Rows => prepare(text).all(named(values));
  const runAll = (all: readonly Statement[]): Rows[] => all.map(run);
  function runWork<T>(work: Work<T>): T {
    const steps = work();
    let step = steps.next([]);
    while (step.done !== true) step = steps.next(runAll(step.value));
    const [value, ...last] = step.value;
    runAll(last);
    return value;
  }

  const waiting: Entry[] = [];
  const changes = (): unknown => prepare('SELECT total_changes() AS n').get()?.['n'];

  /** Begins once nobody else writes, without standing in the event loop's way. */
  async function begin(): Promise<void> {
    const until = performance.now() + busyTimeoutMs;
    for (;;) {
      const failed = attempt(() => {
        database.exec('BEGIN IMMEDIATE');
      });
      if (failed === undefined) return;
      const reason = inWords(failed.error);
      if (!(reason instanceof DatabaseLocked) || performance.now() > until) throw reason;
      await new Promise((resolve) => setTimeout(resolve, busyPollMs));
    }
  }

  async function flush(): Promise<void> {
    const begun = await begin().then(
      () => true,
      (error: unknown) => {
        for (const { reject } of waiting.splice(0)) reject(error);
        return false;
      },
    );
    if (begun) commit(waiting.splice(0));
  }

  function commit(entries: readonly Entry[]): void {
    const before = changes();
    const done: { readonly settle: () => void; readonly reject: Entry['reject'] }[] = [];
    const failed = attempt(() => {
      for (const { run: work, reject } of entries) {
        database.exec('SAVEPOINT one');
        const one = attempt(() => done.push({ settle: work(), reject }));
        if (one !== undefined) {
          // A full disk ends the transaction, and so undoes the others.
          if (!database.isTransaction) throw one.error;
          database.exec('ROLLBACK TO one');
          reject(inWords(one.error));
        }
        database.exec('RELEASE one');
      }
      database.exec('COMMIT');
    });
    if (failed !== undefined) {
      if (database.isTransaction) database.exec('ROLLBACK');
      for (const { reject } of entries) reject(inWords(failed.error));
      return;
    }
    const settleAll = (): void => {
      for (const { settle } of done) settle();
    };
    if (changes() === before) {
      settleAll();
      return;
    }
    onDisk().then(settleAll, (error: unknown) => {
      for (const { reject } of done) reject(inWords(error));
    });
  }

  const queue = <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(() => void flush());
      waiting.push({
        reject,
        run: () => {
          const value = work();
          return () => {
            resolve(value);
          };
        },
      });
    });
  const write = <T>(work: Work<T>): Promise<T> => queue(() => runWork(work));

  const numberOf = (pragma: string): number => {
    const [value] = Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {});
    return Number(value);
  };

  return {
    read: (...all) => Promise.try(runAll, all),
    readEach: (statement, use) =>
      Promise.try(() => {
        const [text, ...values] = statement;
        // A statement of its own, since others may run before this one has ended.
        for (const row of database.prepare(text).iterate(named(values))) use(row);
      }),
    batch: (...all) => queue(() => runAll(all)),
    write: (work, anyway = false) =>
      write(work).catch((error: unknown) => {
        if (anyway && error instanceof DiskFull && reserve.free()) return write(work);
        throw error;
      }),
    hold: async (first, locks, use) => {
      const recorded = await queue(() => runAll(first));
      if (locks.length === 0) {
        use(recorded, []);
        return;
      }
      // The write lock is held: whatever takes a token back was committed before this or is after it.
      await new Promise<void>((resolve, reject) => {
        queue(() => {
          const last = use(recorded, runAll(locks));
          // It is done then, whatever becomes of the writes that share the transaction.
          if (last.length === 0) resolve();
          runAll(last);
        }).then(resolve, reject);
      });
    },
    // Writes share their commits already.
    together: (work) => async (one) => {
      const answers = await work([one]);
      return answers[0] as (typeof answers)[number];
    },
    countMonth: (month) => {
      const next = startOfMonth(monthBefore(startOfMonth(month), -1));
      const rows = `(SELECT * FROM audit WHERE at >= ${String(startOfMonth(month))} AND at < ${String(next)}) AS rows`;
      return readInThread(path, countMonthSql(rows));
    },
    alone: async (work) => {
      await kept;
      try {
        // Only the last connection may take a database out of WAL mode.
        database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
      } catch (error) {
        throw inWords(error);
      }
      try {
        return await work();
      } finally {
        database.exec('ROLLBACK; PRAGMA journal_mode = WAL');
      }
    },
    iterate: (text) => database.prepare(text).iterate(),
    deleteOldAudit: [deleteOldAudit],
    clocks,
    bytes: async () => (await stat(path)).size + (await stat(`${path}-wal`)).size,
    reusableBytes: () => numberOf('freelist_count') * numberOf('page_size'),
    close: async () => {
      await kept;
      // What was asked for before is committed first.
      await queue(() => undefined).catch(() => undefined);
      await onDisk().catch(() => undefined);
      closeSync(log);
      database.close();
    },
  };
}

const named = (
  values: readonly Statement[number][],
): Record<string, string | number | Uint8Array | null> =>
  Object.fromEntries(values.map((value, n) => [`$${String(n + 1)}`, value ?? null]));

/** Runs what may throw. Returns what was thrown; undefined where nothing was. */
function attempt(work: () => unknown): { readonly error: unknown } | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return { error };
  }
}

/**
 * Returns the report that the disk is full, or the database locked, in place of what SQLite or a sync threw for it; anything else as it
 * is. SQLite says SQLITE_FULL (13), or SQLITE_IOERR (10) where a file beside the database could not grow.
 */
function inWords(error: unknown): unknown {
  const { code, errcode = 0 } = error as { readonly code?: string; readonly errcode?: number };
  const primary = errcode & 0xff;
  if (code === 'ENOSPC' || [10, 13].includes(primary)) return new DiskFull({ cause: error });
  return primary === 5 ? new DatabaseLocked({ cause: error }) : error;
}

/** Opens the file, which is made where it is missing. @param mayTry is asked once the disk is full, whether there is room now */
function openFile(path: string, mayTry: () => boolean): DatabaseSync {
  // Asked for here and not imported, so that on an older Node the program starts and says what it needs.
  const { DatabaseSync: Open } = process.getBuiltinModule('node:sqlite');
  const database = new Open(path, { timeout: busyTimeoutMs });
  const failed = attempt(() => {
    database.exec(`
      PRAGMA journal_mode = WAL;
      -- A commit writes to the log alone. The log is synced beside the event loop, before the commit counts.
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
    `);
    makeSchema(database);
    database.exec('PRAGMA busy_timeout = 0');
  });
  if (failed === undefined) return database;
  database.close();
  const reason = inWords(failed.error);
  if (reason instanceof DiskFull && mayTry()) return openFile(path, () => false);
  throw reason;
}

function makeSchema(database: DatabaseSync): void {
  const version = (): unknown => database.prepare('PRAGMA user_version').get()?.['user_version'];
  // Asked before as well, so that a command on a full disk writes nothing here.
  if (version() === schemaVersion) return;
  database.exec('BEGIN IMMEDIATE');
  const found = Number(version());
  if (found > schemaVersion) {
    throw new Problem(
      `The database has schema ${String(found)}; this relay knows ${String(schemaVersion)}.`,
    );
  }
  if (found === 0) database.exec(`${sqliteSchema} PRAGMA user_version = ${String(schemaVersion)}`);
  database.exec('COMMIT');
}

/** Creates what keeps room on the disk in a file, so that rights can be taken away when it is full. */
function createReserve(path: string): {
  /** Takes the room, unless it is taken already or the disk has little. Never rejects. */
  readonly keep: () => Promise<void>;
  /** Gives it to the next writes; false when there was none. */
  readonly free: () => boolean;
} {
  const isThere = (): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
  async function make(): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(path));
    // On a smaller rest the reserve itself might fill the disk.
    if (bavail * bsize < 16 * reserveBytes) return;
    // Under another name until it is whole. Random, since zeros take no room on some file systems.
    const part = `${path}-${randomBytes(4).toString('hex')}`;
    try {
      await writeFile(part, randomBytes(reserveBytes), { mode: 0o600, flush: true });
      await rename(part, path);
    } finally {
      await rm(part, { force: true });
    }
  }
  return {
    keep: async () => {
      if (!isThere()) await make().catch(() => undefined);
    },
    free: () => {
      const held = isThere();
      rmSync(path, { force: true });
      return held;
    },
  };
}

/** Runs a sync for all who wait. Whoever comes while one runs waits for the next, since that one may not hold what they wrote. */
export function coalesce(
  sync: (done: (error: Error | null) => void) => void,
): () => Promise<undefined> {
  let waiting: ReturnType<typeof Promise.withResolvers<undefined>>[] = [];
  let running = false;
  function next(): void {
    if (running || waiting.length === 0) return;
    const group = waiting;
    waiting = [];
    running = true;
    sync((error) => {
      running = false;
      next();
      for (const { resolve, reject } of group) {
        if (error === null) resolve(undefined);
        else reject(error);
      }
    });
  }
  return () => {
    const one = Promise.withResolvers<undefined>();
    waiting.push(one);
    next();
    return one.promise;
  };
}

/** Reads in a thread of its own: a month of a busy team takes a second, in which nobody else would be answered. */
function readInThread(path: string, text: string): Promise<readonly Row[]> {
  const reading = `
    const { parentPort, workerData: { path, text } } = require('node:worker_threads');
    const { DatabaseSync } = require('node:sqlite');
    parentPort.postMessage(new DatabaseSync(path, { readOnly: true }).prepare(text).all());`;
  return new Promise((resolve, reject) => {
    new Worker(reading, { eval: true, workerData: { path, text } })
      .once('message', resolve)
      .once('error', reject);
  });
}
