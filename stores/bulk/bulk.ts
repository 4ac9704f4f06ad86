import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowRef, triggerRef } from 'vue';

import type { CollectedCode, JobSource, OwnColumns } from '#core/bulk/index';
import type { RowGroup } from '#core/row-group';
import { isNotFound } from '#core/check/index';
import { type Result, omitUndefined } from '#core/result';
import { type Fault, searchIn } from '#core/marketplaces/index';
import type { StorageFull } from '#core/storage-full';
import { delay } from '#core/time/delay';
import { readOwnColumns } from '#stores/bulk/enriched-file';
import { jobsPort } from '#stores/bulk/ports';
import { useConnections } from '#stores/connections/connections';
import { latest } from '#stores/latest';
import { askPort, clockPort, usePort } from '#stores/ports';
import { type UndoFault, useUndoOffer } from '#stores/ui/undo-offer';
import {
  type BulkJob,
  type BulkRow,
  type CodeRow,
  codeRowsOf,
  countRows,
  type JobUpdate,
  rowsFor,
  rowsToRefresh,
  standstillsAt,
  timeLeft,
  type BulkWait,
  rateOf,
  type Standstill,
} from '#core/jobs/index';
import type { ItemId } from '#core/item-id';
import { connectionsFor } from '#core/code-forms';
import { undoMs } from '#core/soft-deletion';

interface StartOptions {
  /** The item that the codes should be for. */
  readonly expectedItemId?: ItemId | undefined;
  /** The file that the codes came from. */
  readonly source?: JobSource<Blob> | undefined;
}

/** Shows bulk checks: the worker runs them, this page adds jobs and draws what is announced. */
export const useBulk = defineStore('bulk', () => {
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const port = usePort(jobsPort);
  const connections = useConnections();
  const undo = useUndoOffer();

  /** Undefined until they have been read. */
  const jobs = ref<BulkJob[]>();
  /** The last job could not be started: the disk was full. */
  const storageFull = ref(false);
  /** The latest wait of each job at each connection. */
  const waits = shallowRef<readonly BulkWait[]>([]);
  const table = createJobRows();
  /** The columns of the open job's own file, once they are read. */
  const own = shallowRef<OwnColumns>();
  const ownReads = latest();
  /** How many codes of each group the listed jobs have, by the job. */
  const counts = shallowRef<ReadonlyMap<string, Record<RowGroup, number>>>(new Map());
  const drive = createWorkerDriver(async () => {
    // Updates announced while this page was not listening are in the stored jobs. A job is never shown as finished over older rows.
    const stored = await port.jobs();
    await table.reload();
    jobs.value = stored;
  });

  const job = computed(() => jobs.value?.find(({ id }) => id === table.jobId.value));
  /** Milliseconds; undefined when the job is not running or too little is known. */
  const left = computed(() => {
    if (job.value?.state !== 'running') return undefined;
    const asked = job.value.connectionIds.map((id) => ({
      waiting: table.waiting.value.get(id) ?? 0,
      requestsPerMinute: connections.find(id)?.dialect.requestsPerMinute ?? 1,
    }));
    return timeLeft(asked, table.finishedAt.value);
  });

  onScopeDispose(port.watch(applyUpdate));

  function applyUpdate(update: JobUpdate): void {
    switch (update.kind) {
      case 'job':
        void showJob(update.job);
        break;
      case 'removed':
        removeJob(update.jobId);
        break;
      case 'reset':
        forgetCounts(update.jobId);
        if (update.jobId === table.jobId.value) void table.reload();
        break;
      case 'wait':
        waits.value = [...waits.value.filter((each) => !isOf(each, update)), update];
        break;
      case 'rows':
        // A search ends with its code; the rows that were under way say nothing about another wait.
        if (waits.value.some(({ fault }) => searchIn(fault) !== undefined))
          waits.value = waits.value.filter(
            (each) =>
              searchIn(each.fault) === undefined || !update.rows.some((row) => isOf(each, row)),
          );
        for (const jobId of new Set(update.rows.map((row) => row.jobId))) forgetCounts(jobId);
        table.update(update.rows);
        break;
    }
  }

  /** Returns what the open job waits for, while it runs. */
  function standstills(): readonly Standstill[] {
    if (job.value?.state !== 'running') return [];
    const own = waits.value.filter(({ jobId }) => jobId === table.jobId.value);
    return standstillsAt(now(), table.waiting.value, own, table.drawnAt.value);
  }

  /** Shows a changed job; the end of the open job is shown only once its rows are read. */
  async function showJob(changed: BulkJob): Promise<void> {
    if (changed.state === 'done' && changed.id === table.jobId.value) await table.reload();
    putJob(changed);
  }

  function forgetCounts(jobId: string): void {
    if (!counts.value.has(jobId)) return;
    counts.value = new Map([...counts.value].filter(([id]) => id !== jobId));
  }

  /** Counts the codes of the jobs that do not run, one job after the other. */
  async function countJobs(): Promise<void> {
    for (const { id, state, expectedItemId } of jobs.value ?? []) {
      if (state === 'running' || counts.value.has(id)) continue;
      const codes = codeRowsOf(await port.rows(id), now());
      counts.value = new Map(counts.value).set(id, countRows(codes, expectedItemId, now()));
    }
  }

  /** Opens a job's table, and reads the columns of its file. */
  async function open(id: string): Promise<void> {
    const { isLatest } = ownReads.begin();
    own.value = undefined;
    await table.open(id);
    const source = await port.source(id);
    // A file that cannot be read has no columns to show; saving it says so.
    const read = source && (await readOwnColumns(source).catch(() => undefined));
    if (isLatest()) own.value = read;
  }

  /** Gives a job another name, which can be undone. A blank name is ignored. */
  async function rename(id: string, name: string): Promise<void> {
    const before = jobs.value?.find((each) => each.id === id)?.name ?? '';
    const given = name.trim();
    if (given === '' || given === before) return;
    const write = (called: string): Promise<Result<null, StorageFull>> =>
      ask('bulk.rename', { jobId: id, name: called });
    const renamed = await write(given);
    storageFull.value = !renamed.ok;
    if (renamed.ok)
      undo.show({ list: 'job-names', id, name: given, undo: () => write(before) }, now() + undoMs);
  }

  function putJob(changed: BulkJob): void {
    const present = jobs.value ?? [];
    const at = present.findIndex(({ id }) => id === changed.id);
    jobs.value = at < 0 ? [changed, ...present] : present.with(at, changed);
  }

  function removeJob(id: string): void {
    jobs.value = jobs.value?.filter((each) => each.id !== id);
    if (table.jobId.value === id) table.close();
  }

  async function load(): Promise<void> {
    jobs.value = await port.jobs();
    if (jobs.value.some(({ state }) => state === 'running')) void drive();
  }

  /** Adds a job and runs it. Returns its id; undefined when the disk is full. */
  async function start(
    name: string,
    codes: readonly CollectedCode[],
    connectionIds: readonly string[],
    { expectedItemId, source }: StartOptions = {},
  ): Promise<string | undefined> {
    const id = crypto.randomUUID();
    const added: BulkJob = omitUndefined({
      id,
      name,
      createdAt: now(),
      connectionIds,
      state: 'running',
      expectedItemId,
    });
    const asked = connectionIds.flatMap((one) => connections.find(one) ?? []);
    const askedAt = (code: string): readonly string[] =>
      asked.length === 0 ? connectionIds : connectionsFor(code, asked).map((one) => one.id);
    const rows = rowsFor(id, codes, connectionIds, askedAt);
    const stored = await port.add(added, rows, source);
    storageFull.value = !stored.ok;
    if (!stored.ok) return undefined;
    putJob(added);
    void drive();
    return id;
  }

  /** Returns the file that a job's codes came from; undefined where there was none. */
  function sourceOf(jobId: string): Promise<JobSource<Blob> | undefined> {
    return port.source(jobId);
  }

  async function setState(id: string, to: 'running' | 'paused' | 'cancelled'): Promise<void> {
    await ask('bulk.set', { jobId: id, to });
    if (to === 'running') void drive();
  }

  async function retry(id: string, which: 'failed' | 'not-found'): Promise<void> {
    await ask('bulk.retry', { jobId: id, which });
    void drive();
  }

  async function skipConnection(id: string, connectionId: string): Promise<void> {
    await ask('bulk.skip', { jobId: id, connectionId });
    void drive();
  }

  /** Asks again about a code, where that can change its verdict. Returns why there is no answer. */
  async function refresh(row: CodeRow): Promise<Fault | StorageFull | undefined> {
    const answers = await Promise.all(
      rowsToRefresh(row).map(({ jobId, index }) => ask('bulk.refresh', { jobId, index })),
    );
    const failed = answers.find(({ ok }) => !ok);
    return failed?.ok === false ? failed.fault : undefined;
  }

  /** @param name what the agent calls the job */
  async function remove(id: string, name: string): Promise<void> {
    const { undoUntil } = await ask('bulk.remove', { jobId: id });
    removeJob(id);
    const restore = async (): Promise<Result<null, UndoFault>> => {
      const restored = await ask('bulk.restore', { jobId: id });
      await load();
      return restored;
    };
    if (undoUntil > now()) undo.show({ list: 'jobs', id, name, undo: restore }, undoUntil);
  }

  const { rows, codes, done, failed, notFound, rate, close } = table;
  return {
    jobs,
    job,
    rows,
    codes,
    done,
    failed,
    notFound,
    rate,
    left,
    standstills,
    storageFull,
    load,
    open,
    close,
    start,
    sourceOf,
    setState,
    retry,
    skipConnection,
    refresh,
    own,
    counts,
    countJobs,
    rename,
    remove,
  };
});

/** Tells whether two of a job's updates are about the same connection. */
function isOf(one: JobPart, other: JobPart): boolean {
  return one.jobId === other.jobId && one.connectionId === other.connectionId;
}

type JobPart = Pick<BulkRow, 'jobId' | 'connectionId'>;

/** The table is drawn at most this often while rows come in. */
const drawIntervalMs = 250;
/** Finished rows that the rate and the time left are computed from. */
const recentRows = 400;

/** Creates the rows of the open job, with none open yet. Call it in a store's setup. */
function createJobRows() {
  const now = usePort(clockPort);
  const port = usePort(jobsPort);
  const jobId = ref<string>();
  const rows = shallowRef<BulkRow[]>([]);
  /** When the latest rows were finished, epoch milliseconds. */
  const finishedAt = shallowRef<number[]>([]);
  /** When the table was drawn last, epoch milliseconds. */
  const drawnAt = ref(now());
  const reads = latest();
  /** One for each code: what the table shows and the figures count. */
  const codes = computed(() => codeRowsOf(rows.value, drawnAt.value));
  let positions = new Map<number, number>();
  let drawing: ReturnType<typeof setTimeout> | undefined;

  function show(shown: BulkRow[]): void {
    positions = new Map(shown.map(({ index }, position) => [index, position]));
    rows.value = shown;
    drawnAt.value = now();
    finishedAt.value = shown
      .flatMap(({ checkedAt }) => checkedAt ?? [])
      .toSorted((a, b) => a - b)
      .slice(-recentRows);
  }

  /** Reads the open job's rows anew. */
  async function reload(): Promise<void> {
    const { isLatest } = reads.begin();
    if (jobId.value === undefined) return;
    const read = await port.rows(jobId.value);
    if (isLatest()) show(read);
  }

  /** Puts finished rows in their places; rows of other jobs are passed over. */
  function update(finished: readonly BulkRow[]): void {
    for (const row of finished) {
      const position = row.jobId === jobId.value ? positions.get(row.index) : undefined;
      if (position === undefined) continue;
      rows.value[position] = row;
      if (row.checkedAt !== undefined) finishedAt.value.push(row.checkedAt);
      drawing ??= setTimeout(draw, drawIntervalMs);
    }
  }

  function draw(): void {
    drawing = undefined;
    finishedAt.value = finishedAt.value.slice(-recentRows);
    drawnAt.value = now();
    triggerRef(rows);
  }

  return {
    jobId,
    rows,
    codes,
    finishedAt,
    drawnAt,
    reload,
    update,
    /** How many codes have the answer of each connection that they are asked at. */
    done: computed(
      () =>
        codes.value.filter(
          ({ outcome, others }) =>
            outcome !== undefined && others.every((other) => other.outcome !== undefined),
        ).length,
    ),
    failed: computed(() => codes.value.filter(({ outcome }) => outcome?.ok === false).length),
    notFound: computed(() => codes.value.filter(({ outcome }) => isNotFound(outcome)).length),
    /** How many rows are still to be asked about at each connection, by its id. */
    waiting: computed(() => {
      const counts = new Map<string, number>();
      for (const { connectionId, outcome } of rows.value)
        if (outcome === undefined) counts.set(connectionId, (counts.get(connectionId) ?? 0) + 1);
      return counts;
    }),
    /** Codes finished in the last minute. */
    rate: computed(() =>
      rateOf(
        codes.value.flatMap(({ checkedAt }) => checkedAt ?? []),
        drawnAt.value,
      ),
    ),
    open: async (id: string): Promise<void> => {
      if (jobId.value === id) return;
      show([]);
      jobId.value = id;
      await reload();
    },
    close: (): void => {
      reads.cancel();
      jobId.value = undefined;
      show([]);
    },
  };
}

/** How long to wait before asking a worker again that gave no answer. */
const retryDelayMs = 1000;

/**
 * Keeps the worker running jobs while this page is open. Call it in a store's setup.
 *
 * The worker may be stopped at any moment and is asked again. The moment it names for the next run is waited for,
 * unless the agent changes something meanwhile.
 * @param finished called when no job is left to run
 * @returns what starts it, and what wakes it after a change
 */
function createWorkerDriver(finished: () => Promise<void>): () => Promise<void> {
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const waits = latest();
  let wanted = false;
  let running = false;

  /** A function, because another call of the driver changes the answer during each `await`. */
  const isWanted = (): boolean => wanted;

  return async () => {
    wanted = true;
    waits.cancel();
    if (running) return;
    running = true;
    while (isWanted()) {
      wanted = false;
      const { nextRunAt } = await ask('bulk.drive', {}).catch(() => ({
        nextRunAt: now() + retryDelayMs,
      }));
      if (nextRunAt === undefined) continue;
      if (!isWanted()) await delay(nextRunAt - now(), waits.begin().signal);
      wanted = true;
    }
    running = false;
    await finished();
  };
}
