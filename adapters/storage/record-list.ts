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

/** A change of one list, in a transaction that may change others too. */
export interface ListEdit {
  readonly name: ListName;
  /** Returns the new stored values for the present ones. */
  readonly apply: (values: readonly unknown[]) => readonly unknown[];
}

/** Changes several lists atomically, in the order of the edits. */
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

/** Stores a list of records as one value, so that its order is kept and every change is atomic. */
export interface RecordList<T> extends RecordSource {
  read(): Promise<readonly T[]>;
  /**
   * Reads, changes and writes in one transaction. Records that this version cannot read are hidden and keep their
   * positions.
   * @param edit must be a pure function
   * @returns the written list
   */
  change(edit: (records: readonly T[]) => readonly T[]): Promise<Result<readonly T[], StorageFull>>;
  /** Prepares the same change for `changeLists`. */
  edit(edit: (records: readonly T[]) => readonly T[]): ListEdit;
}

/** Creates a list in the `lists` table. */
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

/** A list that is read only once while the worker runs. */
export interface RememberedList<T> extends RecordList<T> {
  /** Makes the next use read the list again, for example after it was erased. */
  forget(): void;
}

/** Caches a list that nothing else changes. */
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
          // A read that begins after this waits for the end of the transaction.
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
