import { announce } from '#adapters/browser/announcements';
import {
  findUnused,
  readRecords,
  type RecordForm,
  type RecordSource,
  type Tables,
} from '#adapters/storage/tables';
import type { StorageFull } from '#core/storage-full';
import type { ListName } from '#core/stored-records';
import type { Result } from '#core/result';

/** Keeps a list of records in one value: its order counts, and every change is whole or not at all. */
export interface RecordList<T> extends RecordSource {
  read(): Promise<readonly T[]>;
  /**
   * Reads, changes and writes in one transaction. Records that this version cannot read keep their places, unseen.
   * @param edit must be a function of its argument alone
   * @returns what was written
   */
  change(edit: (records: readonly T[]) => readonly T[]): Promise<Result<readonly T[], StorageFull>>;
}

/** Keeps a list in the `lists` table. */
export function createRecordList<T extends object>(
  tables: Tables,
  name: ListName,
  form: RecordForm<T>,
): RecordList<T> {
  const stored = (): Promise<unknown[]> =>
    tables.transact(['lists'], 'readonly', async (transaction) =>
      valuesOf(await transaction.objectStore('lists').get(name)),
    );

  /** @param edit makes the values to be stored of those that are */
  async function write<R>(
    edit: (values: readonly unknown[]) => readonly [stored: readonly unknown[], result: R],
  ): Promise<Result<R, StorageFull>> {
    const written = await tables.write(['lists'], async (transaction) => {
      const lists = transaction.objectStore('lists');
      const [next, result] = edit(valuesOf(await lists.get(name)));
      await lists.put(next, name);
      return result;
    });
    if (written.ok) announce('lists', name);
    return written;
  }

  return {
    read: async () => readRecords(await stored(), form),

    change: (edit) =>
      write((values) => {
        const edited = edit(readRecords(values, form));
        const next: unknown[] = edited.map((record) => form.write(record));
        for (const [place, value] of values.entries())
          if (form.read(value).kind !== 'readable') next.splice(place, 0, value);
        return [next, edited];
      }),

    unused: async () => findUnused(await stored(), form),

    removeUnreadable: (isMeant) =>
      write((values) => [
        values.filter((value) => form.read(value).kind !== 'unreadable' || !isMeant(value)),
        undefined,
      ]),
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

function valuesOf(value: unknown): unknown[] {
  return value === undefined ? [] : [value].flat();
}
