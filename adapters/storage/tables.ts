import {
  type IDBPDatabase,
  type IDBPTransaction,
  openDB,
  type DBSchema,
  type StoreNames,
} from 'idb';
import { OutdatedBuild } from '#adapters/storage/storage-area';
import { type Result, fail, succeed } from '#core/result';
import type { ListName, StorageFull } from '#core/storage/index';
import { isRecord } from '#core/record';
import type { ItemId } from '#core/item-id';

/** The tables. Values are `unknown` if their form has versions; a `RecordCodec` reads them. */
interface CounterfoilSchema extends DBSchema {
  lists: { key: ListName; value: unknown };
  jobs: { key: string; value: unknown };
  rows: {
    key: [jobId: string, index: number];
    value: unknown;
    indexes: { waiting: [jobId: string, connectionId: string, index: number] };
  };
  /** The files that the codes of jobs came from. */
  'job-sources': { key: string; value: unknown };
  history: {
    key: number;
    value: unknown;
    indexes: {
      time: number;
      code: [codeId: string, checkedAt: number];
      by: [by: string, checkedAt: number, codeId: string];
    };
  };
  /**
   * The history's settings, unreadable settings that a write has replaced, the key for the digests of codes, the moment
   * before which codes are permanently masked, and the connections whose entries were last removed.
   */
  'history-values': { key: string; value: unknown };
  listings: { key: string; value: unknown };
  items: { key: [connectionId: string, itemId: ItemId]; value: unknown };
}

type TableName = StoreNames<CounterfoilSchema>;

type Mode = 'readonly' | 'readwrite';

/** Runs transactions in the single database of records, which is opened on first use. */
export interface Tables {
  /**
   * Runs one transaction. `task` may await only the transaction's own requests; if it throws, nothing is written.
   * @throws if storage is blocked, full, or written by a newer version of the program
   */
  transact<Names extends readonly TableName[], M extends Mode, T>(
    tables: Names,
    mode: M,
    task: (transaction: Transaction<Names, M>) => Promise<T>,
  ): Promise<T>;
  /** Runs a transaction that may write much. A full disk is a fault here, not an error. */
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

/** The version of the database's stores and indexes. Records have their own version. */
const databaseVersion = 1;

/**
 * Creates the access to the database of records.
 * @param name of the database
 * @param mayWrite called before each writing transaction, which throws `OutdatedBuild` if it returns false
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
      upgrade: createStores,
      blocking: (_current, _blocked, event) => {
        // Another page opens a newer version, or site data is being cleared.
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
    // It is awaited below. If the task throws before that, there must be no unhandled rejection.
    transaction.done.catch(() => undefined);
    try {
      const value = await task(transaction);
      // Only a writer waits for the end of the transaction, since a reader already has its result.
      if (mode === 'readwrite') await transaction.done;
      return value;
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // The transaction has already ended.
      }
      // The aborted transaction's error is more specific than that of the failed request.
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
  database.createObjectStore('job-sources', { keyPath: 'jobId' });
  const history = database.createObjectStore('history', { keyPath: 'id', autoIncrement: true });
  history.createIndex('time', 'checkedAt');
  history.createIndex('code', ['codeId', 'checkedAt']);
  history.createIndex('by', ['by', 'checkedAt', 'codeId']);
  database.createObjectStore('history-values');
  database.createObjectStore('listings', { keyPath: 'connectionId' });
  database.createObjectStore('items', { keyPath: ['connectionId', 'id'] });
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

/** The members of a stored record before validation. */
export type Fields = Readonly<Record<string, unknown>>;

/** The version in every record. No record's form has changed since the first release. */
const recordVersion = 1;

export type StoredReading<T> =
  | { readonly kind: 'readable'; readonly record: T }
  /** A newer version of the program wrote it, so it must not be changed. */
  | { readonly kind: 'newer'; readonly version: number }
  /** @property path the first member that cannot be read, dotted; `$` is the whole record. */
  | { readonly kind: 'unreadable'; readonly path: string };

/** Reads and writes records of one kind in their stored form. */
export interface RecordCodec<T> {
  /** Reads a stored value. Never throws. */
  read(value: unknown): StoredReading<T>;
  write<R extends T>(record: R): R & { readonly version: number };
}

/** Parses members; the fault is the path of the first unreadable member. */
export type RecordParser<T> = (fields: Fields) => Result<T, string>;

export function defineRecord<T extends object>(parse: RecordParser<T>): RecordCodec<T> {
  return {
    read(value) {
      if (!isRecord(value)) return { kind: 'unreadable', path: '$' };
      const version = value['version'];
      if (typeof version === 'number' && Number.isSafeInteger(version) && version > recordVersion)
        return { kind: 'newer', version };
      const parsed = parse(value);
      if (!parsed.ok) return { kind: 'unreadable', path: parsed.fault };
      return version === recordVersion
        ? { kind: 'readable', record: parsed.value }
        : { kind: 'unreadable', path: 'version' };
    },
    write: (record) => ({ ...record, version: recordVersion }),
  };
}

/** Stored records that this version cannot use. They stay where they are. */
export interface UnusedRecords {
  readonly unreadable: readonly UnreadableRecord[];
  /** Whether a newer version of the program wrote any. */
  readonly newer: boolean;
}

export interface UnreadableRecord {
  /** The first member that cannot be read, dotted; `$` is the whole record. */
  readonly path: string;
  /** The stored value, unchanged. */
  readonly value: unknown;
}

/** A place with records that this version may be unable to read. */
export interface RecordSource {
  unused(): Promise<UnusedRecords>;
  /** Removes the unreadable records for which `isMeant` returns true. */
  removeUnreadable(isMeant: (value: unknown) => boolean): Promise<unknown>;
}

/** Finds the values that are not records of this version. */
export function findUnused(values: readonly unknown[], codec: RecordCodec<object>): UnusedRecords {
  const unreadable: UnreadableRecord[] = [];
  let newer = false;
  for (const value of values) {
    const reading = codec.read(value);
    if (reading.kind === 'unreadable') unreadable.push({ path: reading.path, value });
    else if (reading.kind === 'newer') newer = true;
  }
  return { unreadable, newer };
}

/** Reads a stored value; undefined if there is none, or this version cannot read it. */
export function readRecord<T extends object>(value: unknown, codec: RecordCodec<T>): T | undefined {
  const read = codec.read(value);
  return read.kind === 'readable' ? read.record : undefined;
}

/** Reads stored values; those that this version cannot read are left out. */
export function readRecords<T extends object>(
  values: readonly unknown[],
  codec: RecordCodec<T>,
): T[] {
  const records: T[] = [];
  for (const value of values) {
    const record = readRecord(value, codec);
    if (record !== undefined) records.push(record);
  }
  return records;
}

/** Reads up to `count` records from a cursor on, skipping those that this version cannot read. */
export async function readNext<
  T extends object,
  Cursor extends { readonly value: unknown; continue(): Promise<Cursor | null> },
>(first: Promise<Cursor | null>, codec: RecordCodec<T>, count: number): Promise<T[]> {
  const records: T[] = [];
  let cursor = await first;
  while (cursor !== null) {
    const read = codec.read(cursor.value);
    if (read.kind === 'readable') records.push(read.record);
    if (records.length >= count) break;
    cursor = await cursor.continue();
  }
  return records;
}

/** Visits each record of a cursor's range. `visit` may await only requests of the same transaction. */
export async function walk<Cursor extends { continue(): Promise<Cursor | null> }>(
  first: Promise<Cursor | null>,
  visit: (cursor: Cursor) => Promise<unknown>,
): Promise<void> {
  for (let cursor = await first; cursor !== null; cursor = await cursor.continue())
    await visit(cursor);
}
