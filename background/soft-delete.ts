import type { RecordList } from '#adapters/storage/worker/index';
import {
  type Deletable,
  isLive,
  markedDeleted,
  restoredAt,
  type StorageFull,
  undoMs,
} from '#core/storage/index';
import { type Result, succeed } from '#core/result';

/**
 * The time between attempts to complete a deletion after a failure, in milliseconds. Each start of the administration
 * script tries too.
 */
const retryMs = 900_000;

/** Stores records of one kind, including deleted ones. */
interface DeletableStore<T> {
  /** Changes a record if it exists; returns the changed record. */
  change(id: string, edit: (record: T) => T): Promise<Result<T | undefined, StorageFull>>;
  /** Returns at least the deleted records. */
  read(): Promise<readonly T[]>;
  /** Removes records permanently; returns whether they are gone. */
  remove(ids: ReadonlySet<string>): Promise<boolean>;
}

interface SoftDeletionNeeds<T> {
  readonly store: DeletableStore<T>;
  /** Asks for `finalise` to be called at a moment, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface SoftDelete<T> {
  /** Marks a record as deleted. Deleting it twice does not extend its time. A missing record counts as gone at once. */
  delete(id: string): Promise<Result<{ undoUntil: number }, StorageFull>>;
  /** Restores and returns a record; undefined if it is gone or its time is over. */
  restore(id: string): Promise<Result<T | undefined, StorageFull>>;
  /**
   * Removes and returns the records whose deletion can no longer be undone. If the disk is full, it tries again later.
   * @param end deletes the data that belongs to a record; if it fails, the record stays. It may be called again for the
   * same record, since the worker can be stopped before the record is removed.
   */
  finalise(end?: (record: T) => Promise<void>): Promise<readonly T[]>;
}

type Entry = Deletable & { readonly id: string };

export function deletableIn<T extends Entry>({
  read,
  change,
}: Pick<RecordList<T>, 'read' | 'change'>): DeletableStore<T> {
  return {
    async change(id, edit) {
      const written = await change((all) => all.map((one) => (one.id === id ? edit(one) : one)));
      return written.ok ? succeed(written.value.find((one) => one.id === id)) : written;
    },
    read,
    remove: async (ids) => (await change((all) => all.filter(({ id }) => !ids.has(id)))).ok,
  };
}

/** Deletes records in two steps, so that a deletion can be undone for a while. */
export function createSoftDelete<T extends Entry>(needs: SoftDeletionNeeds<T>): SoftDelete<T> {
  const { store, scheduleAlarm, now } = needs;

  return {
    async delete(id) {
      const undoUntil = now() + undoMs;
      // The alarm is set before the record is marked, so that a worker stopped in between does not leave a deletion
      // unfinished.
      await scheduleAlarm(undoUntil);
      const written = await store.change(id, (one) => markedDeleted(one, undoUntil));
      if (!written.ok) return written;
      const { deletedUntil = now() } = written.value ?? {};
      return succeed({ undoUntil: deletedUntil });
    },

    async restore(id) {
      const moment = now();
      const written = await store.change(id, (one) => restoredAt(one, moment));
      if (!written.ok || written.value === undefined || isLive(written.value)) return written;
      return succeed(undefined);
    },

    async finalise(end = () => Promise.resolve()) {
      const moment = now();
      const isOver = ({ deletedUntil }: Deletable): boolean =>
        deletedUntil !== undefined && moment >= deletedUntil;
      const all = await store.read();
      const over = all.filter(isOver);
      const ended = new Set<string>();
      for (const one of over)
        await end(one).then(
          () => ended.add(one.id),
          () => undefined,
        );
      const isRemoved = ended.size === 0 || (await store.remove(ended));
      const gone = isRemoved ? over.filter(({ id }) => ended.has(id)) : [];
      const retries = gone.length < over.length ? [moment + retryMs] : [];
      const later = all.flatMap((one) => (isOver(one) ? [] : (one.deletedUntil ?? [])));
      const next = [...retries, ...later];
      if (next.length > 0) await scheduleAlarm(Math.min(...next));
      return gone;
    },
  };
}
