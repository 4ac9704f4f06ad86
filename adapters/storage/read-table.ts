import type { RecordForm } from '#adapters/storage/tables';

interface TableReading<T> {
  readonly records: T[];
  /** For `moveAside`. Records of a newer version are in neither list. */
  readonly unreadable: { readonly key: IDBValidKey; readonly path: string }[];
}

/** A store or an index of it. */
interface Readable {
  readonly keyPath: string | string[] | null;
  getAll(query?: IDBKeyRange | null, count?: number): Promise<unknown[]>;
  getAllKeys(query?: IDBKeyRange | null, count?: number): Promise<IDBValidKey[]>;
}

/** Reads the records of a range, up to `count`; the keys of those that cannot be read come with it. */
export async function readTable<T extends object>(
  source: Readable,
  form: RecordForm<T>,
  range?: IDBKeyRange,
  count?: number,
): Promise<TableReading<T>> {
  const [values, keys] = await Promise.all([
    source.getAll(range, count),
    source.getAllKeys(range, count),
  ]);
  const reading: TableReading<T> = { records: [], unreadable: [] };
  values.forEach((value, at) => {
    const read = form.read(value);
    const key = keys[at];
    if (read.kind === 'readable') reading.records.push(read.record);
    else if (read.kind === 'unreadable' && key !== undefined)
      reading.unreadable.push({ key, path: read.path });
  });
  return reading;
}

/** Tells whether a newer version of the program wrote a record of the store. Reads all of it. */
export async function hasNewerRecord(
  source: Pick<Readable, 'getAll'>,
  form: RecordForm<object>,
): Promise<boolean> {
  return (await source.getAll()).some((value) => form.read(value).kind === 'newer');
}

/** Visits each record of a cursor's range; only requests of the same transaction may be awaited in `visit`. */
export async function walk<Cursor extends { continue(): Promise<Cursor | null> }>(
  first: Promise<Cursor | null>,
  visit: (cursor: Cursor) => Promise<unknown>,
): Promise<void> {
  for (let cursor = await first; cursor !== null; cursor = await cursor.continue())
    await visit(cursor);
}
