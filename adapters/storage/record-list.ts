import { announce } from '#adapters/browser/announcements';
import {
  findUnused,
  readRecords,
  type RecordCodec,
  type RecordSource,
  type Tables,
} from '#adapters/storage/tables';
import type { ListName, StorageFull } from '#core/storage/index';
import { type Result, succeed } from '#core/result';

/** Changes one list in a transaction that may change others as well. */
export interface ListEdit {
  readonly name: ListName;
  /** Makes the values to be stored of those that are. */
  readonly apply: (values: readonly unknown[]) => readonly unknown[];
}

/** Changes several lists in one transaction, in the order of the edits: all of them or none. */
export async function changeLists(
  tables: Tables,
  edits: readonly ListEdit[],
): Promise<Result<void, StorageFull>> {
  const written = await tables.write(['lists'], async (transaction) => {
    const lists = transaction.objectStore('lists');
    for (const { name, apply } of edits)
      await lists.put(apply(valuesOf(await lists.get(name))), name);
  });
  if (written.ok) for (const { name } of edits) announce('lists', name);
  return written;
}

/** Keeps a list of records in one value: its order counts, and every change is whole or not at all. */
export interface RecordList<T> extends RecordSource {
  read(): Promise<readonly T[]>;
  /**
   * Reads, changes and writes in one transaction. Records that this version cannot read keep their places, unseen.
   * @param edit must be a function of its argument alone
   * @returns what was written
   */
  change(edit: (records: readonly T[]) => readonly T[]): Promise<Result<readonly T[], StorageFull>>;
  /** Prepares the same change for `changeLists`. */
  edit(edit: (records: readonly T[]) => readonly T[]): ListEdit;
}

/** Keeps a list in the `lists` table. */
export function createRecordList<T extends object>(
  tables: Tables,
  name: ListName,
  codec: RecordCodec<T>,
): RecordList<T> {
  const stored = (): Promise<unknown[]> =>
    tables.transact(['lists'], 'readonly', async (transaction) =>
      valuesOf(await transaction.objectStore('lists').get(name)),
    );

  const prepare: RecordList<T>['edit'] = (edit) => ({
    name,
    apply(values) {
      const next: unknown[] = edit(readRecords(values, codec)).map((record) => codec.write(record));
      for (const [index, value] of values.entries())
        if (codec.read(value).kind !== 'readable') next.splice(index, 0, value);
      return next;
    },
  });

  return {
    read: async () => readRecords(await stored(), codec),

    async change(edit) {
      let edited: readonly T[] = [];
      const written = await changeLists(tables, [prepare((records) => (edited = edit(records)))]);
      return written.ok ? succeed(edited) : written;
    },

    edit: prepare,

    unused: async () => findUnused(await stored(), codec),

    removeUnreadable: (isMeant) =>
      changeLists(tables, [
        {
          name,
          apply: (values) =>
            values.filter((value) => codec.read(value).kind !== 'unreadable' || !isMeant(value)),
        },
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
    edit(edit) {
      const prepared = list.edit(edit);
      return {
        ...prepared,
        apply(values) {
          // A read that begins from here on waits for the end of the transaction.
          forget();
          return prepared.apply(values);
        },
      };
    },
    forget,
  };
}

function valuesOf(value: unknown): unknown[] {
  return value === undefined ? [] : [value].flat();
}
