import { type QuarantinedRecord, type Tables, isNewerDatabase } from '#adapters/storage/tables';
import type { QuarantineSource } from '#core/quarantine';
import { omitUndefined } from '#core/result';
import { isRecord } from '#core/record';

/** Describes a record in quarantine, without what it holds. */
export interface QuarantineSummary {
  readonly id: number;
  readonly source: QuarantineSource;
  /** When it was set aside, epoch milliseconds. */
  readonly at: number;
  readonly path: string;
  /** The name in the record, where there is one to be read. */
  readonly name?: string;
}

/** Records that this version of the program cannot read. They are never overwritten; only the agent removes them. */
export interface Quarantine {
  list(): Promise<QuarantineSummary[]>;
  /** Returns a record as JSON text, its secrets left out; `undefined` when it is gone. */
  copy(id: number): Promise<string | undefined>;
  remove(id: number): Promise<void>;
  /** Adds a record that does not lie in the tables themselves, unless it is there already. */
  add(record: QuarantinedRecord): Promise<void>;
  holds(source: QuarantineSource): Promise<boolean>;
  /** Tells whether a newer version of the program changed the database itself, so that nothing in it can be read. */
  isNewerDatabase(): Promise<boolean>;
}

export function createQuarantine(tables: Tables): Quarantine {
  const readAll = (): Promise<{ id: number; record: QuarantinedRecord }[]> =>
    tables.transact(['quarantine'], 'readonly', async (transaction) => {
      const store = transaction.objectStore('quarantine');
      const [ids, records] = await Promise.all([store.getAllKeys(), store.getAll()]);
      return records.flatMap((record, at) => {
        const id = ids[at];
        return id === undefined ? [] : [{ id, record }];
      });
    });

  return {
    async list() {
      return (await readAll()).map(({ id, record: { source, at, path, value } }) => {
        const name = nameOf(value);
        return omitUndefined({ id, source, at, path, name });
      });
    },

    async copy(id) {
      const found = (await readAll()).find((one) => one.id === id)?.record;
      if (found === undefined) return undefined;
      return JSON.stringify(
        { ...found, value: withoutSecrets(found.value, found.source) },
        null,
        2,
      );
    },

    remove: (id) =>
      tables.transact(['quarantine'], 'readwrite', (transaction) =>
        transaction.objectStore('quarantine').delete(id),
      ),

    async add(record) {
      await tables.transact(['quarantine'], 'readwrite', async (transaction) => {
        const store = transaction.objectStore('quarantine');
        const text = JSON.stringify(record.value);
        const isThere = (await store.getAll()).some(
          ({ source, value }) => source === record.source && JSON.stringify(value) === text,
        );
        if (!isThere) await store.add(record);
      });
    },

    async isNewerDatabase() {
      try {
        await readAll();
        return false;
      } catch (error) {
        if (isNewerDatabase(error)) return true;
        throw error;
      }
    },

    holds: async (source) => (await readAll()).some(({ record }) => record.source === source),
  };
}

/**
 * Moves records that cannot be read out of a table. On a full disk they stay where they are: nothing writes over them.
 * @param now epoch milliseconds
 */
export async function moveAside(
  tables: Tables,
  table: 'jobs' | 'rows' | 'history',
  unreadable: readonly { readonly key: IDBValidKey; readonly path: string }[],
  now: number,
): Promise<void> {
  if (unreadable.length === 0) return;
  await tables.write([table, 'quarantine'], async (transaction) => {
    const store = transaction.objectStore(table);
    for (const { key, path } of unreadable) {
      const range = IDBKeyRange.only(key);
      const value: unknown = await store.get(range);
      if (value === undefined) continue;
      await transaction.objectStore('quarantine').add({ source: table, at: now, path, value });
      await store.delete(range);
    }
  });
}

function nameOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  return [value['name'], value['label'], value['origin']].find(
    (text): text is string => typeof text === 'string' && text !== '',
  );
}

const secretName = /token|secret|password|passphrase|api[-_]?key|credential|authorization/iu;
const leftOut = '(left out: may be secret)';

/** Leaves out every text of the key record, and elsewhere what its name says is secret. */
function withoutSecrets(value: unknown, source: QuarantineSource): unknown {
  if (typeof value === 'string') return source === 'secrets' ? leftOut : value;
  if (Array.isArray(value)) return value.map((one: unknown) => withoutSecrets(one, source));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretName.test(name) ? leftOut : withoutSecrets(member, source),
    ]),
  );
}
