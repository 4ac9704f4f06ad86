import { type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';

import type { CounterfoilSchema, TableName } from '#adapters/storage/database-schema';
import { OutdatedBuild } from '#adapters/storage/storage-area';
import { type Result, fail, succeed } from '#core/result';
import type { StorageFull } from '#core/storage-full';

type Mode = 'readonly' | 'readwrite';

/**
 * Runs transactions in the one database of records, which is opened when it is first used.
 */
export interface Tables {
  /**
   * Runs one transaction. Nothing but its own requests may be awaited in `task`; when `task` throws, nothing is written.
   * @throws when storage is blocked, full, or written by a newer version of the program
   */
  transact<Names extends readonly TableName[], M extends Mode, T>(
    tables: Names,
    mode: M,
    task: (transaction: Transaction<Names, M>) => Promise<T>,
  ): Promise<T>;
  /** Runs a transaction that may write much: a full disk is a fault, not an error. */
  write<Names extends readonly TableName[], T>(
    tables: Names,
    task: (transaction: Transaction<Names, 'readwrite'>) => Promise<T>,
  ): Promise<Result<T, StorageFull>>;
}

export type Transaction<Names extends readonly TableName[], M extends Mode> = IDBPTransaction<
  CounterfoilSchema,
  [...Names],
  M
>;

type Opened = IDBPDatabase<CounterfoilSchema>;

/** The version of the database's stores and indexes; the forms of the records in them have versions of their own. */
const databaseVersion = 2;

/**
 * Creates the access to the database of records.
 * @param name of the database
 * @param mayWrite is asked before each transaction that writes, which throws `OutdatedBuild` where it may not
 */
export function createTables(name = 'counterfoil', mayWrite = (): boolean => true): Tables {
  let opened: Promise<Opened> | undefined;

  function open(): Promise<Opened> {
    return (opened ??= openDatabase().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  }

  function openDatabase(): Promise<Opened> {
    return openDB<CounterfoilSchema>(name, databaseVersion, {
      upgrade(upgraded, oldVersion) {
        if (oldVersion < 1) createStores(upgraded);
        if (oldVersion < 2) upgraded.createObjectStore('job-sources', { keyPath: 'jobId' });
      },
      blocking: (_current, _blocked, event) => {
        // Another page brings a newer version, or site data is being cleared.
        (event.target as IDBDatabase).close();
        opened = undefined;
      },
      terminated: () => {
        opened = undefined;
      },
    });
  }

  async function begin<Names extends readonly TableName[], M extends Mode>(
    tables: Names,
    mode: M,
  ): Promise<Transaction<Names, M>> {
    try {
      return (await open()).transaction<[...Names], M>([...tables], mode);
    } catch (error) {
      if (!isClosed(error)) throw error;
      opened = undefined;
      return (await open()).transaction<[...Names], M>([...tables], mode);
    }
  }

  async function transact<Names extends readonly TableName[], M extends Mode, T>(
    tables: Names,
    mode: M,
    task: (transaction: Transaction<Names, M>) => Promise<T>,
  ): Promise<T> {
    if (mode === 'readwrite' && !mayWrite()) throw new OutdatedBuild();
    const transaction = await begin(tables, mode);
    // It is awaited below; a task that throws first must leave no rejection without a handler.
    transaction.done.catch(() => undefined);
    try {
      const value = await task(transaction);
      // What was read is known before the browser tells that the transaction is over.
      if (mode === 'readwrite') await transaction.done;
      return value;
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // It is over already.
      }
      // A request that failed says less than the transaction it took down.
      await transaction.done.catch((reason: unknown) => {
        throw isFull(reason) ? reason : error;
      });
      throw error;
    }
  }

  return {
    transact,
    async write(tables, task) {
      try {
        return succeed(await transact(tables, 'readwrite', task));
      } catch (error) {
        if (isFull(error)) return fail({ kind: 'storage-full' });
        throw error;
      }
    },
  };
}

function createStores(database: Opened): void {
  database.createObjectStore('lists');
  database.createObjectStore('jobs', { keyPath: 'id' });
  const rows = database.createObjectStore('rows', { keyPath: ['jobId', 'index'] });
  rows.createIndex('waiting', ['jobId', 'connectionId', 'waiting']);
  const history = database.createObjectStore('history', { keyPath: 'id', autoIncrement: true });
  history.createIndex('time', 'checkedAt');
  history.createIndex('code', ['codeId', 'checkedAt']);
  database.createObjectStore('history-values');
  database.createObjectStore('listings', { keyPath: 'connectionId' });
  database.createObjectStore('items', { keyPath: ['connectionId', 'id'] });
  database.createObjectStore('quarantine', { autoIncrement: true });
}

function isFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError';
}

/** Tells whether a newer version of the program changed the database itself, so that nothing in it can be read. */
export function isNewerDatabase(error: unknown): boolean {
  return error instanceof Error && error.name === 'VersionError';
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidStateError';
}
