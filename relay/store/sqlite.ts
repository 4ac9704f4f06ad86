import type { Clocks } from '#relay/machine/clocks';
import { closeSync, fdatasync, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';

import { dayMs, daysAround, delay } from '#core/time/index';
import { inBatches } from '#relay/machine/batches';
import { freeReserve, keepReserve } from '#relay/machine/disk-reserve';
import { readInThread } from '#relay/machine/reading-thread';
import { syncedTogether } from '#relay/machine/synced-together';
import { countMonthSql } from '#relay/store/month-count';
import { auditInDoubt, deleteOldAudit, newerThan, schemas } from '#relay/store/schema';
import {
  type Database,
  DatabaseLocked,
  DiskFull,
  type Row,
  type Rows,
  type Statement,
  type Value,
  type Work,
} from '#relay/store/sql';
import { Problem } from '#relay/problem';

/** Shorter than the 600 ms within which a call ends if the database is unreachable. */
const busyTimeoutMs = 500;
const busyPollMs = 10;
const reusable =
  'SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size';
const keepReserveEveryMs = 60_000;

export interface Sqlite extends Database {
  /** Runs work while no other process has the file open. @throws DatabaseLocked if another process has */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Iterates over the rows of a statement, of which there may be very many. */
  iterate(statement: Statement): Iterable<Row>;
}

/**
 * Opens the embedded database: one file in WAL mode, with every commit on the disk before it counts. One relay at a time serves from it,
 * while the command line may write to it. Writes of one turn of the event loop share a commit, and one sync of the log serves all that wait
 * for it.
 * @throws Problem when the schema is newer than this program, DiskFull, DatabaseLocked
 */
export function openSqlite(
  path: string,
  clocks: Clocks,
  purpose: 'serve' | 'administer',
  syncFile: (file: number) => Promise<void> = promisify(fdatasync),
): Sqlite {
  const reserve = `${path}-reserve`;
  const database = openFile(path, purpose === 'administer' ? reserve : undefined);
  defineFunctions(database, clocks);
  let kept = keepReserve(reserve);
  const keeping = setInterval(() => {
    kept = keepReserve(reserve);
  }, keepReserveEveryMs).unref();
  const log = openSync(`${path}-wal`, 'r+');
  const runner = createRunner(database);
  const { run, runAll, runWork } = runner;
  const sync = syncedTogether(
    () => syncFile(log).catch(throwInWords),
    (failure) => failure instanceof DiskFull && emptyLog(database),
  );
  const queue = createQueue(database, runner, sync);
  const write = <T>(work: Work<T>): Promise<T> => queue(() => runWork(work));

  return {
    read: (...all) => Promise.try(runAll, all),
    // A separate statement, since others may run before this one has ended.
    iterate: ([text, ...values]) => database.prepare(text).iterate(named(values)),
    batch: (...all) => queue(() => void runAll(all)),
    write: (work, anyway = false) =>
      write(work).catch((error: unknown) => {
        if (anyway && error instanceof DiskFull && freeReserve(reserve)) return write(work);
        throw error;
      }),
    hold: createHold(queue, runner),
    // Writes already share their commits.
    together: (work) => async (one) => {
      const answers = await work([one]);
      return answers[0] as (typeof answers)[number];
    },
    countMonth: (month) => {
      const [from = '', to = ''] = daysAround(month).map((day) => String(day * dayMs));
      return readInThread(path, countMonthSql(from, to));
    },
    alone: async (work) => {
      await kept;
      try {
        // Only the last connection can take a database out of WAL mode.
        database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
        return await work();
      } catch (error) {
        throw inWords(error);
      } finally {
        if (database.isTransaction) database.exec('ROLLBACK; PRAGMA journal_mode = WAL');
      }
    },
    deleteOldAudit: [deleteOldAudit],
    auditInDoubt: [auditInDoubt],
    hasOwnClock: true,
    jumpedMs: () => clocks.paceNow() - clocks.now(),
    clocks,
    databaseBytes: async () => (await stat(path)).size + (await stat(`${path}-wal`)).size,
    reusableBytes: () => Number(run([reusable])[0]?.['bytes']),
    close: async () => {
      clearInterval(keeping);
      await kept;
      // Earlier requests are committed first.
      await queue(() => undefined).catch(() => undefined);
      await sync().catch(() => undefined);
      closeSync(log);
      database.close();
    },
  };
}

/** Defines the functions that statements call in this process. */
function defineFunctions(database: DatabaseSync, clocks: Clocks): void {
  const functions = {
    clock: clocks.now,
    steady: clocks.paceNow,
    month_start: (months: unknown) => {
      if (months === null) return null;
      const at = new Date(clocks.now());
      return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - Number(months));
    },
    must: (holds: unknown) => {
      if (holds !== 1) throw new Error('Changed meanwhile.');
      return 1;
    },
  };
  for (const [name, run] of Object.entries(functions)) database.function(name, run);
}

type Runner = ReturnType<typeof createRunner>;

/** Creates the runner of statements, which prepares each only once. */
function createRunner(database: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  function prepare(text: string): StatementSync {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    // A writer has the lock of the whole database.
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
  return { run, runAll, runWork };
}

type Queue = <T>(work: () => T) => Promise<T>;

/** Creates the queue of work in shared transactions: a failing piece is undone alone, and each is answered when all are on the disk. */
function createQueue(database: DatabaseSync, { run }: Runner, sync: () => Promise<void>): Queue {
  const changes = (): unknown => run(['SELECT total_changes() AS n'])[0]?.['n'];

  /** Begins when nobody else writes, without blocking the event loop. */
  async function begin(): Promise<void> {
    for (const until = performance.now() + busyTimeoutMs; ;) {
      try {
        database.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        const reason = inWords(error);
        if (!(reason instanceof DatabaseLocked) || performance.now() > until) throw reason;
      }
      await delay(busyPollMs);
    }
  }

  /** Runs one piece of work in a transaction, and undoes only that if it fails. Returns the answer to give after the commit. */
  function attempt(work: () => unknown): () => unknown {
    database.exec('SAVEPOINT one');
    let answer: () => unknown;
    try {
      const value = work();
      answer = () => value;
    } catch (error) {
      // A full disk ends the transaction, and so undoes the others too.
      if (!database.isTransaction) throw error;
      database.exec('ROLLBACK TO one');
      answer = () => throwInWords(error);
    }
    database.exec('RELEASE one');
    return answer;
  }

  async function commit(works: readonly (() => unknown)[]): Promise<readonly Promise<unknown>[]> {
    await begin();
    try {
      const before = changes();
      const answers = works.map(attempt);
      database.exec('COMMIT');
      const done = changes() === before ? Promise.resolve() : sync();
      return answers.map((answer) => done.then(answer));
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw inWords(error);
    }
  }

  return inBatches(commit, (error) => error instanceof DatabaseLocked) as Queue;
}

function createHold(queue: Queue, { runAll }: Runner): Database['hold'] {
  return async (first, locks, use) => {
    const recorded = await queue(() => runAll(first));
    if (locks.length === 0) {
      use(recorded, [], () => true);
      return;
    }
    // The write lock is held, so a revocation was committed before this or comes after it.
    await new Promise<void>((resolve, reject) => {
      queue(() => {
        const last = use(recorded, runAll(locks), () => true);
        // Then it is done, whatever happens to the other writes in the transaction.
        if (last.length === 0) resolve();
        runAll(last);
      }).then(resolve, reject);
    });
  };
}

/** Moves the log's content into the database and syncs it; false if that fails. */
function emptyLog(database: DatabaseSync): boolean {
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } catch {
    return false;
  }
}

const named = (values: readonly Value[]): Record<string, Exclude<Value, undefined>> =>
  Object.fromEntries(values.map((value, n) => [`$${String(n + 1)}`, value ?? null]));

/** Holds SQLITE_FULL, SQLITE_IOERR_WRITE, as with a quota, and SQLITE_IOERR_SHMSIZE: another error of a disk is not mended by room. */
const fullCodes = [13, 778, 4874];

function inWords(error: unknown): unknown {
  const { code, errcode = 0 } = error as { readonly code?: string; readonly errcode?: number };
  if (code === 'ENOSPC' || fullCodes.includes(errcode)) return new DiskFull('', { cause: error });
  return (errcode & 0xff) === 5 ? new DatabaseLocked('', { cause: error }) : error;
}

function throwInWords(error: unknown): never {
  throw inWords(error);
}

/** Opens the file, which is created if missing. @param reserve given up if the disk is full */
function openFile(path: string, reserve?: string): DatabaseSync {
  // Loaded here rather than imported, so that on an older Node the program starts and can say what it needs.
  const { DatabaseSync: Open } = process.getBuiltinModule('node:sqlite');
  const database = new Open(path, { timeout: busyTimeoutMs });
  try {
    database.exec(`
      PRAGMA journal_mode = WAL;
      -- A commit writes to the log alone. The log is synced beside the event loop, before the commit counts.
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
    `);
    makeSchema(database);
    database.exec('PRAGMA busy_timeout = 0');
    return database;
  } catch (error) {
    database.close();
    const reason = inWords(error);
    if (reason instanceof DiskFull && reserve && freeReserve(reserve)) return openFile(path);
    throw reason;
  }
}

export function makeSchema(database: DatabaseSync, steps = schemas.sqlite): void {
  const version = (): unknown => database.prepare('PRAGMA user_version').get()?.['user_version'];
  // Checked beforehand as well, so that a command on a full disk writes nothing here.
  if (version() === steps.length) return;
  database.exec('BEGIN IMMEDIATE');
  const found = Number(version());
  if (found > steps.length) throw new Problem(newerThan(found));
  for (const step of steps.slice(found)) database.exec(step);
  database.exec(`PRAGMA user_version = ${String(steps.length)}`);
  database.exec('COMMIT');
}
