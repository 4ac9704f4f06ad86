import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, type ShallowRef, shallowRef } from 'vue';

import type { CollectedCode, JobSource, OwnColumns } from '#core/bulk/index';
import type { RowGroup } from '#core/row-group';
import { type Result, omitUndefined } from '#core/result';
import { type Fault, searchIn } from '#core/marketplaces/index';
import type { StorageFull } from '#core/storage-full';
import { readOwnColumns } from '#stores/bulk/enriched-file';
import { createJobRows } from '#stores/bulk/job-rows';
import { createWorkerDriver } from '#stores/bulk/worker-driver';
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
  standstillsAt,
  timeLeft,
  type BulkWait,
  type Standstill,
} from '#core/jobs/index';
import type { ItemId } from '#core/item-id';
import { connectionsFor } from '#core/code-forms';
import { undoMs } from '#core/soft-deletion';
import { reportsToRefresh } from '#core/check/index';

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
  const waits = createJobWaits();
  const table = createJobRows();
  /** The columns of the open job's own file, once they are read. */
  const own = shallowRef<OwnColumns>();
  const ownReads = latest();
  const { counts, forgetCounts, countCodes } = createJobCounts();
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
        waits.note(update);
        break;
      case 'rows':
        waits.endSearches(update.rows);
        for (const jobId of new Set(update.rows.map((row) => row.jobId))) forgetCounts(jobId);
        table.update(update.rows);
        break;
    }
  }

  /** Returns what the open job waits for, while it runs. */
  function standstills(): readonly Standstill[] {
    if (job.value?.state !== 'running') return [];
    const told = waits.of(job.value.id);
    return standstillsAt(now(), table.waiting.value, told, table.drawnAt.value);
  }

  /** Shows a changed job; the end of the open job is shown only once its rows are read. */
  async function showJob(changed: BulkJob): Promise<void> {
    if (changed.state === 'done' && changed.id === table.jobId.value) await table.reload();
    putJob(changed);
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
      reportsToRefresh([row, ...row.others]).map(({ jobId, index }) =>
        ask('bulk.refresh', { jobId, index }),
      ),
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
    countJobs: () => countCodes(jobs.value ?? []),
    rename,
    remove,
  };
});

/** Holds the latest wait of each job at each connection. Call it in a store's setup. */
function createJobWaits(): {
  readonly of: (jobId: string) => readonly BulkWait[];
  readonly note: (wait: BulkWait) => void;
  /** Ends searches with their code: rows that were under way say nothing about another wait. */
  readonly endSearches: (finished: readonly BulkRow[]) => void;
} {
  const waits = shallowRef<readonly BulkWait[]>([]);
  const isOf = (wait: BulkWait, { jobId, connectionId }: JobPart): boolean =>
    wait.jobId === jobId && wait.connectionId === connectionId;
  return {
    of: (jobId) => waits.value.filter((wait) => wait.jobId === jobId),
    note(update) {
      waits.value = [...waits.value.filter((wait) => !isOf(wait, update)), update];
    },
    endSearches(finished) {
      const isOver = (wait: BulkWait): boolean =>
        searchIn(wait.fault) !== undefined && finished.some((row) => isOf(wait, row));
      if (waits.value.some(isOver)) waits.value = waits.value.filter((wait) => !isOver(wait));
    },
  };
}

type JobPart = Pick<BulkRow, 'jobId' | 'connectionId'>;

/** Counts how many codes of each group the listed jobs have, by the job. Call it in a store's setup. */
function createJobCounts(): {
  readonly counts: ShallowRef<ReadonlyMap<string, Record<RowGroup, number>>>;
  readonly forgetCounts: (jobId: string) => void;
  /** Counts the codes of the jobs that do not run, one job after the other. */
  readonly countCodes: (jobs: readonly BulkJob[]) => Promise<void>;
} {
  const now = usePort(clockPort);
  const port = usePort(jobsPort);
  const counts = shallowRef<ReadonlyMap<string, Record<RowGroup, number>>>(new Map());
  return {
    counts,
    forgetCounts(jobId) {
      if (!counts.value.has(jobId)) return;
      counts.value = new Map([...counts.value].filter(([id]) => id !== jobId));
    },
    async countCodes(jobs) {
      for (const { id, state, expectedItemId } of jobs) {
        if (state === 'running' || counts.value.has(id)) continue;
        const codes = codeRowsOf(await port.rows(id), now());
        counts.value = new Map(counts.value).set(id, countRows(codes, expectedItemId, now()));
      }
    },
  };
}
