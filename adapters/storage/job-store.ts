import type { JobSource } from '#core/bulk/index';
import { isNotFound } from '#core/check/index';
import { reportsToRefresh } from '#core/verdict/index';
import { type Result, fail, omitUndefined, succeed } from '#core/result';
import {
  type Fields,
  defineRecord,
  type Tables,
  createTables,
  readNext,
  readRecord,
  readRecords,
} from '#adapters/storage/tables';
import { isLive, type StorageFull } from '#core/storage/index';
import { isRecord } from '#core/record';
import { type BulkJob, type BulkRow, codeRowsOf, isInDoubt, type JobsPort } from '#core/jobs/index';

/** Reads bulk checks and adds new ones, in pages. */
export type PageJobs = Omit<JobsPort<Blob>, 'watch'>;

/**
 * Stores bulk checks, in the worker. Each row is stored once, under its job and index, and is done when its outcome is
 * written. So the store alone shows what is left to check.
 */
export interface JobStore extends Pick<PageJobs, 'jobs'> {
  deletedJobs(): Promise<BulkJob[]>;
  job(id: string): Promise<BulkJob | undefined>;
  /** Changes a job if it exists, deleted or not; returns the changed job. */
  change(
    id: string,
    edit: (job: BulkJob) => BulkJob,
  ): Promise<Result<BulkJob | undefined, StorageFull>>;
  remove(id: string): Promise<void>;
  row(jobId: string, index: number): Promise<BulkRow | undefined>;
  /** Returns up to `count` rows that wait for an answer of this connection, from index `from` on. */
  waiting(jobId: string, connectionId: string, from: number, count: number): Promise<BulkRow[]>;
  hasWaiting(jobId: string): Promise<boolean>;
  /**
   * Writes outcomes atomically; returns the rows that were written. Rows of deleted jobs are dropped.
   * @param confirmed rows that were written before; a row whose outcome has changed since is dropped
   */
  finish(
    rows: readonly BulkRow[],
    confirmed?: readonly BulkRow[],
  ): Promise<Result<readonly BulkRow[], StorageFull>>;
  /** Returns the rows of the other connections about the same code. */
  beside(row: BulkRow): Promise<BulkRow[]>;
  /**
   * Makes rows wait again, for codes without a verdict or for those that no connection knows, if the row can change the
   * verdict. Returns the rows as they were.
   * @param question the id of the question by which they are asked again
   */
  retry(
    jobId: string,
    which: 'failed' | 'not-found',
    question: string,
  ): Promise<Result<readonly BulkRow[], StorageFull>>;
  /** Restores the previous outcome of rows that `retry` made wait and that still wait. */
  endRetry(jobId: string): Promise<unknown>;
  /** Returns the not-founds of a connection whose key has not been seen to work since. Reads all rows of the job. */
  inDoubt(jobId: string, connectionId: string): Promise<BulkRow[]>;
  /** Makes these rows wait again; returns them as they were, or none if the disk is full. */
  putBackInDoubt(jobId: string, connectionId: string): Promise<readonly BulkRow[]>;
  /**
   * Removes a connection from every job, including from reasons for pauses, and deletes jobs that then have no
   * connection.
   */
  forgetConnection(connectionId: string): Promise<void>;
}

/**
 * The stored form of a waiting row: `waiting` is its index, so that a database index has only those rows, and `before`
 * is its stored form before it was checked again.
 */
type WaitingRow = BulkRow & { readonly waiting: number; readonly before?: unknown };

interface StoredSource extends JobSource<Blob> {
  readonly jobId: string;
}

export const jobCodec = defineRecord<BulkJob>((fields) =>
  readMembers<BulkJob>(fields, {
    id: isText,
    name: isText,
    pastedName: (name) => name === undefined || isText(name),
    createdAt: isNumber,
    connectionIds: (ids) => Array.isArray(ids) && ids.every(isText),
    state: (state) => states.includes(state as BulkJob['state']),
    pausedBy: isAnything,
    expectedItemId: isAnything,
    deletedUntil: (until) => until === undefined || isNumber(until),
  }),
);

export const rowCodec = defineRecord<BulkRow>((fields) =>
  readMembers<BulkRow>(fields, {
    jobId: isText,
    index: isNumber,
    connectionId: isText,
    code: isText,
    line: isNumber,
    times: isNumber,
    checkedAt: isAnything,
    finishedAt: isAnything,
    outcome: (outcome) =>
      outcome === undefined || (isRecord(outcome) && typeof outcome['ok'] === 'boolean'),
    foundSpelling: (spelling) => spelling === undefined || isText(spelling),
    question: (question) => question === undefined || isText(question),
  }),
);

const sourceCodec = defineRecord<StoredSource>((fields) =>
  readMembers<StoredSource>(fields, {
    jobId: isText,
    file: (file) => file instanceof Blob,
    layout: (layout) => isRecord(layout) && isNumber(layout['column']),
  }),
);

export function createPageJobs(tables: Tables = createTables()): PageJobs {
  return {
    jobs: () => readJobs(tables, isLive),

    add: (job, rows, source) =>
      tables.write(['jobs', 'rows', 'job-sources'], async (transaction) => {
        const store = transaction.objectStore('rows');
        await Promise.all([
          ...rows.map((row) => store.add(rowCodec.write(asWaiting(row)))),
          transaction.objectStore('jobs').add(jobCodec.write(job)),
          ...(source === undefined
            ? []
            : [
                transaction
                  .objectStore('job-sources')
                  .add(sourceCodec.write({ jobId: job.id, ...source })),
              ]),
        ]);
      }),

    source: (jobId) =>
      tables.transact(['job-sources'], 'readonly', async (transaction) => {
        return readRecord(await transaction.objectStore('job-sources').get(jobId), sourceCodec);
      }),

    rows: (jobId) => readRows(tables, jobId),
  };
}

export function createJobStore(tables: Tables): JobStore {
  return {
    jobs: () => readJobs(tables, isLive),

    deletedJobs: () => readJobs(tables, (job) => !isLive(job)),

    job: (id) =>
      tables.transact(['jobs'], 'readonly', async (transaction) => {
        return readRecord(await transaction.objectStore('jobs').get(id), jobCodec);
      }),

    change: (id, edit) =>
      tables.write(['jobs'], async (transaction) => {
        const store = transaction.objectStore('jobs');
        const present = readRecord(await store.get(id), jobCodec);
        if (present === undefined) return undefined;
        const changed = edit(present);
        await store.put(jobCodec.write(changed));
        return changed;
      }),

    remove: (id) =>
      tables.transact(['jobs', 'rows', 'job-sources'], 'readwrite', async (transaction) => {
        await transaction.objectStore('rows').delete(rowsOf(id));
        await transaction.objectStore('job-sources').delete(id);
        await transaction.objectStore('jobs').delete(id);
      }),

    row: (jobId, index) =>
      tables.transact(['rows'], 'readonly', async (transaction) => {
        return readRecord(await transaction.objectStore('rows').get([jobId, index]), rowCodec);
      }),

    waiting: (jobId, connectionId, from, count) =>
      tables.transact(['rows'], 'readonly', (transaction) =>
        readNext(
          transaction
            .objectStore('rows')
            .index('waiting')
            .openCursor(
              IDBKeyRange.bound(
                [jobId, connectionId, from],
                [jobId, connectionId, Number.POSITIVE_INFINITY],
              ),
            ),
          rowCodec,
          count,
        ),
      ),

    hasWaiting: (jobId) =>
      tables.transact(['rows'], 'readonly', async (transaction) => {
        const waiting = transaction.objectStore('rows').index('waiting');
        return (await readNext(waiting.openCursor(rowsOf(jobId)), rowCodec, 1)).length > 0;
      }),

    finish: (rows, confirmed = []) =>
      tables.write(['jobs', 'rows'], async (transaction) => {
        const jobStore = transaction.objectStore('jobs');
        const rowStore = transaction.objectStore('rows');
        const ids = [...new Set(rows.map(({ jobId }) => jobId))];
        const present = await Promise.all(ids.map((id) => jobStore.getKey(id)));
        const stored = await Promise.all(
          confirmed.map(({ jobId, index }) => rowStore.get([jobId, index])),
        );
        const isSame = (row: BulkRow, at: number): boolean =>
          readRecord(stored[at], rowCodec)?.finishedAt === row.finishedAt;
        const written = [
          ...rows.filter(({ jobId }) => present.includes(jobId)),
          ...confirmed.filter(isSame),
        ];
        await Promise.all(written.map((row) => rowStore.put(rowCodec.write(row))));
        return written;
      }),

    beside: ({ jobId, index, code }) =>
      tables.transact(['rows'], 'readonly', async (transaction) => {
        const store = transaction.objectStore('rows');
        const found: BulkRow[] = [];
        // The rows of a code are adjacent.
        for (const [range, direction] of [
          [IDBKeyRange.bound([jobId], [jobId, index], false, true), 'prev'],
          [IDBKeyRange.bound([jobId, index], [jobId, []], true), 'next'],
        ] as const) {
          let cursor = await store.openCursor(range, direction);
          for (; cursor !== null; cursor = await cursor.continue()) {
            const row = rowCodec.read(cursor.value);
            if (row.kind !== 'readable' || row.record.code !== code) break;
            found.push(row.record);
          }
        }
        return found;
      }),

    retry: (jobId, which, question) =>
      makeWait(
        tables,
        jobId,
        (rows) =>
          // The moment only matters for purchases, and these are not purchases.
          codeRowsOf(rows, 0)
            .filter(({ outcome }) =>
              // A code for which another connection has not answered yet may have failed at the first one.
              which === 'failed' ? outcome?.ok !== true : isNotFound(outcome),
            )
            .flatMap((row) => reportsToRefresh([row, ...row.others])),
        question,
      ),

    endRetry: (jobId) =>
      tables.write(['rows'], async (transaction) => {
        const store = transaction.objectStore('rows');
        const waiting = await store.index('waiting').getAll(rowsOf(jobId));
        for (const { before } of waiting as WaitingRow[])
          if (before !== undefined) await store.put(before);
      }),

    inDoubt: async (jobId, connectionId) => inDoubtAt(connectionId, await readRows(tables, jobId)),

    async putBackInDoubt(jobId, connectionId) {
      const waiting = await makeWait(tables, jobId, (rows) => inDoubtAt(connectionId, rows));
      return waiting.ok ? waiting.value : [];
    },

    forgetConnection: (connectionId) =>
      tables.transact(['jobs', 'rows', 'job-sources'], 'readwrite', async (transaction) => {
        const jobStore = transaction.objectStore('jobs');
        const rowStore = transaction.objectStore('rows');
        for (const job of readRecords(await jobStore.getAll(), jobCodec)) {
          if (!job.connectionIds.includes(connectionId)) continue;
          const connectionIds = job.connectionIds.filter((id) => id !== connectionId);
          if (connectionIds.length === 0) {
            await rowStore.delete(rowsOf(job.id));
            await transaction.objectStore('job-sources').delete(job.id);
            await jobStore.delete(job.id);
            continue;
          }
          const { pausedBy: reason } = job;
          const isGone = reason?.kind === 'fault' && reason.connectionId === connectionId;
          const pausedBy = isGone ? undefined : reason;
          await jobStore.put(jobCodec.write(omitUndefined({ ...job, connectionIds, pausedBy })));
          for (const row of readRecords(await rowStore.getAll(rowsOf(job.id)), rowCodec))
            if (row.connectionId === connectionId) await rowStore.delete([job.id, row.index]);
        }
      }),
  };
}

async function readJobs(tables: Tables, isAsked: (job: BulkJob) => boolean): Promise<BulkJob[]> {
  const stored = await tables.transact(['jobs'], 'readonly', (transaction) =>
    transaction.objectStore('jobs').getAll(),
  );
  return readRecords(stored, jobCodec)
    .filter(isAsked)
    .toSorted((a, b) => b.createdAt - a.createdAt);
}

async function readRows(tables: Tables, jobId: string): Promise<BulkRow[]> {
  const stored = await tables.transact(['rows'], 'readonly', (transaction) =>
    transaction.objectStore('rows').getAll(rowsOf(jobId)),
  );
  return readRecords(stored, rowCodec);
}

function inDoubtAt(connectionId: string, rows: readonly BulkRow[]): BulkRow[] {
  return rows.filter((row) => row.connectionId === connectionId && isInDoubt(row));
}

/**
 * Makes the chosen rows of a job wait again; returns them as they were.
 * @param question the id of the question with which they are checked again, if they keep their outcome until then
 */
function makeWait(
  tables: Tables,
  jobId: string,
  choose: (rows: readonly BulkRow[]) => readonly BulkRow[],
  question?: string,
): Promise<Result<readonly BulkRow[], StorageFull>> {
  return tables.write(['rows'], async (transaction) => {
    const store = transaction.objectStore('rows');
    const chosen = choose(readRecords(await store.getAll(rowsOf(jobId)), rowCodec));
    await Promise.all(
      chosen.map((row) => {
        const asked = question !== undefined && { question, before: rowCodec.write(row) };
        return store.put(rowCodec.write({ ...asWaiting(row), ...asked }));
      }),
    );
    return chosen;
  });
}

function rowsOf(jobId: string): IDBKeyRange {
  return IDBKeyRange.bound([jobId], [jobId, []]);
}

function asWaiting(row: BulkRow): WaitingRow {
  const { checkedAt: _at, finishedAt: _end, outcome: _, foundSpelling: _found, ...asked } = row;
  return { ...asked, waiting: row.index };
}

const states: readonly BulkJob['state'][] = ['running', 'paused', 'cancelled', 'done'];
const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';

const isAnything = (): boolean => true;

/**
 * Reads the members for which there is a test, or fails with the first that does not pass. Plain functions rather than
 * a schema, because a table has tens of thousands of rows.
 */
function readMembers<T extends object>(
  fields: Fields,
  tests: { readonly [Name in keyof Required<T>]: (value: unknown) => boolean },
): Result<T, string> {
  const members: Record<string, unknown> = {};
  for (const [name, isFit] of Object.entries<(value: unknown) => boolean>(tests)) {
    const value = fields[name];
    if (!isFit(value)) return fail(name);
    if (value !== undefined) members[name] = value;
  }
  return succeed(members as T);
}
