import { announce } from '#adapters/browser/announcements';
import type { Tables, RecordForm } from '#adapters/storage/tables';
import type { ListName } from '#core/stored-records';
import type { StorageFull } from '#core/storage-full';
import type { Result } from '#core/result';

/** Keeps a list of records in one value: its order counts, and every change is whole or not at all. */
export interface RecordList<T> {
  read(): Promise<readonly T[]>;
  /**
   * Reads, changes and writes in one transaction. Records of a newer version keep their places, unseen.
   * @param edit must be a function of its argument alone
   * @returns what was written
   */
  change(edit: (records: readonly T[]) => readonly T[]): Promise<Result<readonly T[], StorageFull>>;
  /** Tells whether there are records that this version cannot read, in the list or set aside. */
  hasUnread(): Promise<boolean>;
  /** Tells whether a newer version of the program wrote a record of the list. */
  hasNewer(): Promise<boolean>;
  unused(): Promise<UnusedRecords>;
}

/** Tells of the records of a list that this version does not use. */
export interface UnusedRecords {
  /** How many cannot be read, in the list or set aside. */
  readonly unreadable: number;
  /** Whether a newer version of the program wrote any. */
  readonly newer: boolean;
}

interface Sorted<T> {
  readonly readable: readonly T[];
  readonly newer: readonly { readonly place: number; readonly value: unknown }[];
  readonly unreadable: readonly { readonly path: string; readonly value: unknown }[];
}

/**
 * Keeps a list in the `lists` table. A record that cannot be read goes to quarantine in the same transaction that first
 * writes the list without it.
 */
export function createRecordList<T extends object>(
  tables: Tables,
  name: ListName,
  form: RecordForm<T>,
): RecordList<T> {
  const read = (): Promise<Sorted<T>> =>
    tables.transact(['lists'], 'readonly', async (transaction) =>
      sort(await transaction.objectStore('lists').get(name), form),
    );

  const change: RecordList<T>['change'] = async (edit) => {
    const written = await tables.write(['lists', 'quarantine'], async (transaction) => {
      const lists = transaction.objectStore('lists');
      const { readable, newer, unreadable } = sort(await lists.get(name), form);
      for (const { path, value } of unreadable)
        await transaction
          .objectStore('quarantine')
          .add({ source: name, at: Date.now(), path, value });
      const edited = edit(readable);
      const stored: unknown[] = edited.map((record) => form.write(record));
      for (const { place, value } of newer) stored.splice(place, 0, value);
      await lists.put(stored, name);
      return edited;
    });
    if (written.ok) announce('lists', name);
    return written;
  };

  const unused = (): Promise<UnusedRecords> =>
    tables.transact(['lists', 'quarantine'], 'readonly', async (transaction) => {
      const { newer, unreadable } = sort(await transaction.objectStore('lists').get(name), form);
      const aside = await transaction.objectStore('quarantine').getAll();
      const ofThisList = aside.filter(({ source }) => source === name);
      return { unreadable: unreadable.length + ofThisList.length, newer: newer.length > 0 };
    });

  return {
    async read() {
      const { readable, unreadable } = await read();
      // On a full disk it stays in the list, where nothing overwrites it.
      if (unreadable.length > 0) await change((records) => records);
      return readable;
    },

    change,

    unused,

    hasNewer: async () => (await unused()).newer,

    async hasUnread() {
      const { newer, unreadable } = await unused();
      return newer || unreadable > 0;
    },
  };
}

/** Keeps a list that is read once for the life of the worker. */
export interface RememberedList<T> extends RecordList<T> {
  /** Reads the list anew the next time, as when it was erased. */
  forget(): void;
}

/** Remembers a list that nobody else changes. */
export function rememberList<T>(list: RecordList<T>): RememberedList<T> {
  let known: Promise<readonly T[]> | undefined;
  const forget = (): void => {
    known = undefined;
  };

  return {
    ...list,
    read() {
      if (known !== undefined) return known;
      const reading = list.read();
      known = reading;
      reading.catch(forget);
      return reading;
    },
    async change(edit) {
      try {
        return await list.change(edit);
      } finally {
        forget();
      }
    },
    forget,
  };
}

function sort<T>(value: unknown, form: RecordForm<T>): Sorted<T> {
  const readable: T[] = [];
  const newer: Sorted<T>['newer'][number][] = [];
  const unreadable: Sorted<T>['unreadable'][number][] = [];
  const records: unknown[] = value === undefined ? [] : [value].flat();
  for (const record of records) {
    const reading = form.read(record);
    if (reading.kind === 'readable') readable.push(reading.record);
    else if (reading.kind === 'unreadable') unreadable.push({ path: reading.path, value: record });
    else newer.push({ place: readable.length + newer.length, value: record });
  }
  return { readable, newer, unreadable };
}
