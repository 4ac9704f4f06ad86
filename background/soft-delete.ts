import type { RecordList } from '#adapters/storage/worker/index';
import type { StorageFull } from '#core/storage-full';
import { type Result, succeed } from '#core/result';
import { isLive, markedDeleted, restoredAt, undoMs } from '#core/soft-deletion';

/**
 * How long after a failed attempt to finish a deletion the next attempt is made, in milliseconds. Each start of the
 * administration script tries as well.
 */
const retryMs = 900_000;

interface Deletable {
  readonly id: string;
  /** The deletion can be undone before this moment, epoch milliseconds. */
  readonly deletedUntil?: number;
}

interface Parts<T> {
  readonly store: Pick<RecordList<T>, 'read' | 'change'>;
  /** Asks for `finalise` to be called at a moment, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface SoftDelete<T> {
  /** Marks a record as deleted; deleting it twice does not extend its time. A record that is not there is gone at once. */
  delete(id: string): Promise<Result<{ undoUntil: number }, StorageFull>>;
  /** Returns the record that is live again; undefined when it is gone or its time is over. */
  restore(id: string): Promise<Result<T | undefined, StorageFull>>;
  /**
   * Removes and returns the records whose deletion can no longer be undone. What a full disk keeps is tried again later.
   * @param end deletes what was kept for a record, which stays where this fails. It may be called again for the same record:
   * the worker can be stopped before the record is removed.
   */
  finalise(end?: (record: T) => Promise<void>): Promise<readonly T[]>;
}

/** Deletes records of a list in two steps, so that a deletion can be undone for a while. */
export function createSoftDelete<T extends Deletable>(parts: Parts<T>): SoftDelete<T> {
  const { store, scheduleAlarm, now } = parts;

  return {
    async delete(id) {
      const undoUntil = now() + undoMs;
      // The alarm is set before the record is marked, so that a worker stopped in between leaves no deletion that nothing
      // finishes.
      await scheduleAlarm(undoUntil);
      const written = await store.change((all) =>
        all.map((one) => (one.id === id ? markedDeleted(one, undoUntil) : one)),
      );
      if (!written.ok) return written;
      const deleted = written.value.find((one) => one.id === id);
      if (deleted === undefined) return succeed({ undoUntil: now() });
      return succeed({ undoUntil: deleted.deletedUntil ?? undoUntil });
    },

    async restore(id) {
      const moment = now();
      const written = await store.change((all) =>
        all.map((one) => (one.id === id ? restoredAt(one, moment) : one)),
      );
      if (!written.ok) return written;
      return succeed(written.value.find((one) => one.id === id && isLive(one)));
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
      const isRemoved =
        ended.size === 0 ||
        (await store.change((present) => present.filter(({ id }) => !ended.has(id)))).ok;
      const gone = isRemoved ? over.filter(({ id }) => ended.has(id)) : [];
      const retries = gone.length < over.length ? [moment + retryMs] : [];
      const later = all.flatMap((one) => (isOver(one) ? [] : (one.deletedUntil ?? [])));
      const next = [...retries, ...later];
      if (next.length > 0) await scheduleAlarm(Math.min(...next));
      return gone;
    },
  };
}
