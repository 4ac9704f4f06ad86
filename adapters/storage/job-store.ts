import type { BulkJob, BulkRow } from '#core/bulk/job';
import type { Result } from '#core/result';
import { omitUndefined } from '#core/omit-undefined';
import { type StorageFull, createDatabase, done, walk } from '#adapters/storage/database';

/**
 * Bulk checks at rest. Each row stands once, under its job and place, and is done once its outcome is written: whoever runs a
 * job finds out from here alone what is left to ask.
 */
export interface JobStore {
  /** The latest first. */
  jobs(): Promise<BulkJob[]>;
  job(id: string): Promise<BulkJob | undefined>;
  /** The job with all its rows, or nothing of it. */
  add(job: BulkJob, rows: readonly BulkRow[]): Promise<Result<void, StorageFull>>;
  /** Changes a job that is there; gives what it then is. */
  change(
    id: string,
    edit: (job: BulkJob) => BulkJob,
  ): Promise<Result<BulkJob | undefined, StorageFull>>;
  remove(id: string): Promise<void>;
  /** All rows, in their order. */
  rows(jobId: string): Promise<BulkRow[]>;
  /** Up to `count` rows that wait for an answer of this connection, from place `from` on. */
  waiting(jobId: string, connectionId: string, from: number, count: number): Promise<BulkRow[]>;
  hasWaiting(jobId: string): Promise<boolean>;
  /** Writes outcomes, all or none. Those of jobs that are gone are dropped. */
  finish(rows: readonly BulkRow[]): Promise<Result<void, StorageFull>>;
  /** Lets rows wait again whose outcome is a fault; gives how many. */
  retryFailed(jobId: string): Promise<number>;
  /** Takes a connection out of every job, and the jobs that then ask nobody. */
  forgetConnection(connectionId: string): Promise<void>;
}

/** A row at rest: `waiting` is its place while it waits, so that an index holds those rows alone. */
type StoredRow = BulkRow & { readonly waiting?: number };

const everyStore = ['jobs', 'rows'];

export function createJobStore(name = 'counterfoil-jobs'): JobStore {
  const database = createDatabase(name, (made) => {
    made.createObjectStore('jobs', { keyPath: 'id' });
    const rows = made.createObjectStore('rows', { keyPath: ['jobId', 'index'] });
    rows.createIndex('waiting', ['jobId', 'connectionId', 'waiting']);
  });

  return {
    async jobs() {
      const jobs = await database.transact(
        ['jobs'],
        'readonly',
        (store) => done(store('jobs').getAll()) as Promise<BulkJob[]>,
      );
      return jobs.toSorted((a, b) => b.createdAt - a.createdAt);
    },

    job: (id) =>
      database.transact(
        ['jobs'],
        'readonly',
        (store) => done(store('jobs').get(id)) as Promise<BulkJob | undefined>,
      ),

    add: (job, rows) =>
      database.write(everyStore, async (store) => {
        for (const row of rows) store('rows').add(asWaiting(row));
        await done(store('jobs').add(job));
      }),

    change: (id, edit) =>
      database.write(['jobs'], async (store) => {
        const omitUndefined = (await done(store('jobs').get(id))) as BulkJob | undefined;
        if (omitUndefined === undefined) return undefined;
        const changed = edit(omitUndefined);
        await done(store('jobs').put(changed));
        return changed;
      }),

    remove: (id) =>
      database.transact(everyStore, 'readwrite', async (store) => {
        store('rows').delete(rowsOf(id));
        await done(store('jobs').delete(id));
      }),

    rows: (jobId) =>
      database.transact(['rows'], 'readonly', async (store) =>
        ((await done(store('rows').getAll(rowsOf(jobId)))) as StoredRow[]).map(asRow),
      ),

    waiting: (jobId, connectionId, from, count) =>
      database.transact(['rows'], 'readonly', async (store) => {
        const range = IDBKeyRange.bound(
          [jobId, connectionId, from],
          [jobId, connectionId, Number.POSITIVE_INFINITY],
        );
        const found = await done(store('rows').index('waiting').getAll(range, count));
        return (found as StoredRow[]).map(asRow);
      }),

    hasWaiting: (jobId) =>
      database.transact(['rows'], 'readonly', async (store) => {
        const range = IDBKeyRange.bound([jobId], [jobId, []]);
        return (await done(store('rows').index('waiting').getKey(range))) !== undefined;
      }),

    finish: (rows) =>
      database.write(everyStore, async (store) => {
        const ids = [...new Set(rows.map(({ jobId }) => jobId))];
        const omitUndefined = await Promise.all(ids.map((id) => done(store('jobs').getKey(id))));
        for (const row of rows) if (omitUndefined.includes(row.jobId)) store('rows').put(row);
      }),

    retryFailed: (jobId) =>
      database.transact(['rows'], 'readwrite', async (store) => {
        let count = 0;
        await walk(store('rows').openCursor(rowsOf(jobId)), (cursor) => {
          const row = cursor.value as StoredRow;
          if (row.outcome?.ok === false) {
            cursor.update(asWaiting(row));
            count += 1;
          }
          return undefined;
        });
        return count;
      }),

    forgetConnection: (connectionId) =>
      database.transact(everyStore, 'readwrite', async (store) => {
        const jobs = (await done(store('jobs').getAll())) as BulkJob[];
        for (const job of jobs) {
          if (!job.connectionIds.includes(connectionId)) continue;
          const connectionIds = job.connectionIds.filter((id) => id !== connectionId);
          if (connectionIds.length === 0) {
            store('rows').delete(rowsOf(job.id));
            store('jobs').delete(job.id);
            continue;
          }
          store('jobs').put({ ...job, connectionIds });
          await walk(store('rows').openCursor(rowsOf(job.id)), (cursor) => {
            if ((cursor.value as StoredRow).connectionId === connectionId) cursor.delete();
            return undefined;
          });
        }
      }),
  };
}

function rowsOf(jobId: string): IDBKeyRange {
  return IDBKeyRange.bound([jobId], [jobId, []]);
}

function asWaiting({ jobId, index, connectionId, code, line, times }: BulkRow): StoredRow {
  return { jobId, index, connectionId, code, line, times, waiting: index };
}

function asRow(stored: StoredRow): BulkRow {
  const { jobId, index, connectionId, code, line, times, checkedAt, outcome } = stored;
  return omitUndefined({ jobId, index, connectionId, code, line, times, checkedAt, outcome });
}
