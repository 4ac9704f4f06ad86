import { type IDBPDatabase, deleteDB, openDB } from 'idb';

import { withLock } from '#adapters/browser/locks';
import { isFields } from '#adapters/storage/migrations';
import type { CounterfoilSchema, ListName, TableName } from '#adapters/storage/database-schema';

/** A store of an old database, and where its records go. */
type Source =
  | { readonly from: string; readonly table: Exclude<TableName, 'lists' | 'quarantine'> }
  | { readonly from: string; readonly key: string; readonly list: ListName };

/** The databases of the releases before there was one, by the end of their name. */
const oldDatabases: Readonly<Record<string, readonly Source[]>> = {
  connections: [{ from: 'records', key: 'connections', list: 'connections' }],
  authorities: [{ from: 'records', key: 'authorities', list: 'authorities' }],
  sites: [{ from: 'records', key: 'sites', list: 'sites' }],
  'key-ring': [{ from: 'keys', key: 'ring', list: 'pinned-keys' }],
  jobs: [
    { from: 'jobs', table: 'jobs' },
    { from: 'rows', table: 'rows' },
  ],
  history: [
    { from: 'entries', table: 'history' },
    { from: 'settings', table: 'history-values' },
  ],
  items: [
    { from: 'listings', table: 'listings' },
    { from: 'items', table: 'items' },
  ],
};

interface OldRecord {
  readonly key: IDBValidKey;
  readonly value: unknown;
}

type Database = IDBPDatabase<CounterfoilSchema>;

/**
 * Moves the records of the old databases into the present one: copies them, checks the copy, then deletes the original.
 * It may be stopped anywhere and run again; whatever stands in the present database already is not overwritten. One page
 * or worker does it at a time, the others wait.
 */
export async function moveOldDatabases(name: string, database: Database): Promise<void> {
  if ((await findOld(name)).length === 0) return;
  await withLock(`${name}-move`, async () => {
    for (const { oldName, sources } of await findOld(name)) await move(oldName, sources, database);
  });
}

async function findOld(
  name: string,
): Promise<{ readonly oldName: string; readonly sources: readonly Source[] }[]> {
  const present = new Set((await indexedDB.databases()).map((one) => one.name));
  return Object.entries(oldDatabases)
    .map(([end, sources]) => ({ oldName: `${name}-${end}`, sources }))
    .filter(({ oldName }) => present.has(oldName));
}

async function move(
  oldName: string,
  sources: readonly Source[],
  database: Database,
): Promise<void> {
  const old = await openDB(oldName);
  try {
    for (const source of sources) {
      if (!old.objectStoreNames.contains(source.from)) continue;
      if ('list' in source) {
        await moveList(await old.get(source.from, source.key), source.list, database);
      } else {
        await moveTable(await readStore(old, source.from), source.table, database);
      }
    }
    // A page of the old release may hold the database open: what it could delete by then must not come back.
    const stores = [...old.objectStoreNames];
    if (stores.length > 0) {
      const clearing = old.transaction(stores, 'readwrite');
      await Promise.all([
        ...stores.map((store) => clearing.objectStore(store).clear()),
        clearing.done,
      ]);
    }
  } finally {
    old.close();
  }
  await new Promise<void>((resolve, reject) => {
    // Blocked: the browser deletes it when the last page that holds it is closed.
    deleteDB(oldName, {
      blocked: () => {
        resolve();
      },
    }).then(resolve, reject);
  });
}

async function readStore(old: IDBPDatabase, store: string): Promise<OldRecord[]> {
  const reading = old.transaction(store);
  const [keys, values] = await Promise.all([reading.store.getAllKeys(), reading.store.getAll()]);
  return keys.map((key, at) => ({ key, value: values[at] as unknown }));
}

async function moveTable(
  records: readonly OldRecord[],
  table: Exclude<TableName, 'lists' | 'quarantine'>,
  database: Database,
): Promise<void> {
  const writing = database.transaction(table, 'readwrite');
  const { store } = writing;
  const hasKeyPath = store.keyPath !== null;
  const written: OldRecord[] = [];
  await Promise.all([
    ...records.map(async ({ key, value }) => {
      if ((await store.count(IDBKeyRange.only(key))) > 0) return;
      written.push({ key, value });
      await (hasKeyPath ? store.put(value) : store.put(value, key as never));
    }),
    writing.done,
  ]);
  const reading = database.transaction(table);
  for (const { key, value } of written)
    judgeCopy(await reading.store.get(key as never), value, table);
}

async function moveList(value: unknown, list: ListName, database: Database): Promise<void> {
  if (value === undefined) return;
  const writing = database.transaction('lists', 'readwrite');
  const present = await writing.store.get(list);
  const merged = merge(present, value);
  await Promise.all([writing.store.put(merged, list), writing.done]);
  judgeCopy(await database.get('lists', list), merged, list);
}

/** Adds the old records that are not there; what is no list becomes a record that cannot be read. */
function merge(present: unknown, old: unknown): unknown[] {
  const listed = present === undefined ? [] : [present].flat();
  const known = new Set<unknown>(
    listed.map(identityOf).filter((identity) => identity !== undefined),
  );
  return [...listed, ...[old].flat().filter((record) => !known.has(identityOf(record)))];
}

function identityOf(record: unknown): unknown {
  return isFields(record) ? (record['raw'] ?? record['id'] ?? record['origin']) : undefined;
}

function judgeCopy(copy: unknown, original: unknown, place: string): void {
  if (copy === undefined || JSON.stringify(copy) !== JSON.stringify(original))
    throw new Error(`The copy in ${place} is not what was written.`);
}
