import type { JobStore } from '#adapters/storage/worker/index';
import {
  type BulkRunnerDependencies,
  type UnprovenRow,
  runBulk,
} from '#background/bulk/bulk-runner';
import { type RowWriter, createRowWriter } from '#background/bulk/row-writer';
import type { History } from '#background/check/history';
import { type CheckReport, summariseAnswer } from '#core/check/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import type { Connection } from '#core/connections/index';
import type { Fault } from '#core/marketplaces/index';
import type { StorageFull } from '#core/storage-full';
import type { Handlers, Refusal } from '#messaging/index';
import type { CheckFeature } from '#background/check/check-handlers';
import type { AdministrationContext } from '#background/dependencies';
import type { SellerFeature } from '#background/seller/index';
import { type BulkJob, type BulkRow, type JobUpdate } from '#core/jobs/index';
import { connectionsFor } from '#core/code-forms';
import { isAboutKey } from '#core/fault-rules';
import type { CheckRequest } from '#core/check-request';

type RestoreFault = Refusal<'bulk.restore'>;

type PauseReason = NonNullable<BulkJob['pausedBy']>;

/** A run ends well within the time a page waits for its reply. */
const maxRunMs = 15_000;
/** The shortest delay of a browser's alarm: it continues the job when the worker was stopped during a run. */
const alarmDelayMs = 30_000;
/** How long a deletion can be undone, in milliseconds. */
const undoMs = 30_000;
/** Rows skipped in one transaction. */
const skippedRowsAtOnce = 1000;

interface BulkDependencies extends BulkRunnerDependencies {
  readonly history: History;
  /** Tells open pages about the progress of a job. */
  readonly publishProgress: (update: JobUpdate) => void;
  /** Runs a task under a lock of the browser; returns undefined when the lock is taken. */
  readonly tryWithLock: <T>(task: () => Promise<T>) => Promise<T | undefined>;
  /** Asks for `drive` to be called at a moment, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
  /** Asks for `finaliseDeletions` to be called at a moment, epoch milliseconds. */
  readonly scheduleFinalising: (moment: number) => Promise<void>;
  /** Checks one code at one connection, ahead of all waiting rows. */
  readonly check: (request: CheckRequest) => Promise<CheckReport>;
}

/** `nextRunAt`: when to call again, epoch milliseconds; absent when nothing is left to do. */
interface DriveResult {
  nextRunAt?: number;
}

export interface Bulk {
  /**
   * Works on running jobs for some seconds. Concurrent calls share one run. An alarm calls it as well, so that a job
   * continues with no page open.
   */
  drive(): Promise<DriveResult>;
  set(jobId: string, to: Exclude<BulkJob['state'], 'done'>): Promise<void>;
  /** Runs the rows again whose outcome is a fault, or those of the codes that no connection knows. */
  retry(jobId: string, which: 'failed' | 'not-found'): Promise<void>;
  /** Continues without the connection that paused the job: its waiting rows get the fault as their outcome. */
  skipConnection(jobId: string, connectionId: string): Promise<void>;
  /** Asks again about one row, past the cache, and stores its answer. */
  refresh(jobId: string, index: number): Promise<Result<null, Fault | StorageFull>>;
  rename(jobId: string, name: string): Promise<Result<null, StorageFull>>;
  /** Deletes a job; it can be restored for a while, unless the disk is too full to note that. */
  remove(jobId: string): Promise<{ undoUntil: number }>;
  restore(jobId: string): Promise<Result<null, RestoreFault>>;
  /** Removes the jobs whose deletion can no longer be undone. */
  finaliseDeletions(): Promise<void>;
}

/**
 * Runs bulk checks. The store alone holds what is left to do, and a row leaves the queue only with its outcome written:
 * a worker stopped at any moment repeats the few requests that were in flight, and no other.
 */
function createBulk(dependencies: BulkDependencies): Bulk {
  const { jobs, history, publishProgress, access, scheduleAlarm, scheduleFinalising, check, now } =
    dependencies;
  /** Jobs stopped during the present run. */
  const stopped = new Set<string>();
  let run: Promise<DriveResult> | undefined;
  let calledDuringRun = false;
  /** By job and connection. Entries of a deleted job stay until the worker stops. */
  const unproven = new Map<string, UnprovenRow[]>();

  function unprovenOf(jobId: string, connectionId: string): UnprovenRow[] {
    const owner = `${jobId} ${connectionId}`;
    const present = unproven.get(owner) ?? [];
    unproven.set(owner, present);
    return present;
  }

  async function change(
    jobId: string,
    edit: (job: BulkJob) => BulkJob,
  ): ReturnType<JobStore['change']> {
    const changed = await jobs.change(jobId, edit);
    if (changed.ok && changed.value !== undefined)
      publishProgress({ kind: 'job', job: changed.value });
    return changed;
  }

  async function pause(jobId: string, reason: PauseReason): Promise<void> {
    stopped.add(jobId);
    const pausedBy = await putBack(jobId, reason);
    await change(jobId, (job) =>
      job.state === 'running' ? { ...job, state: 'paused', pausedBy } : job,
    );
  }

  /** Puts the not-founds back into the queue that may come from a key which has been refused since. */
  async function putBack(jobId: string, reason: PauseReason): Promise<PauseReason> {
    if (reason.kind !== 'fault' || !isAboutKey(reason.fault)) return reason;
    unprovenOf(jobId, reason.connectionId).splice(0);
    const count = await jobs.putBackUnproven(jobId, reason.connectionId);
    if (count === 0) return reason;
    publishProgress({ kind: 'reset', jobId });
    return { ...reason, putBack: count };
  }

  async function resume(jobId: string): Promise<void> {
    stopped.delete(jobId);
    await change(jobId, (job) => withState(job, 'running'));
    await scheduleAlarm(now() + alarmDelayMs);
  }

  /** Runs the jobs of one connection, the oldest first; returns when to continue, if time ran out. */
  async function runConnection(
    connectionId: string,
    running: readonly BulkJob[],
    until: number,
    writer: RowWriter,
  ): Promise<number | undefined> {
    for (const { id: jobId, connectionIds, expectedItemId } of running) {
      if (!connectionIds.includes(connectionId)) continue;
      const result = await runBulk(dependencies, {
        jobId,
        connectionId,
        until,
        expectedItemId,
        isStopped: () => stopped.has(jobId),
        tellWait: (fault, waitUntil) => {
          publishProgress({ kind: 'wait', jobId, connectionId, fault, until: waitUntil });
        },
        unproven: unprovenOf(jobId, connectionId),
        lastUnproven: async () =>
          (await jobs.hasWaiting(jobId)) ? [] : jobs.unproven(jobId, connectionId),
        finish: (row, access, isBelieved) => writer.add(row, access, isBelieved),
      });
      if (result.kind === 'paused') await pause(jobId, result.reason);
      if (result.kind === 'later') return result.nextRunAt;
    }
    return undefined;
  }

  async function runJobs(): Promise<DriveResult> {
    const wanted = (await jobs.jobs()).filter(({ state }) => state === 'running').toReversed();
    if (wanted.length === 0) return {};
    await scheduleAlarm(now() + alarmDelayMs);
    const running: BulkJob[] = [];
    // Nothing is asked that could not be stored: the alarm looks again whether there is room.
    for (const job of wanted) {
      stopped.delete(job.id);
      const stored = await change(job.id, (same) => same);
      const pausedBy = { kind: 'storage-full' } as const;
      if (!stored.ok) publishProgress({ kind: 'job', job: { ...job, state: 'paused', pausedBy } });
      else if (stored.value?.state === 'running') running.push(stored.value);
    }

    const writer = createRowWriter({
      jobs,
      history,
      connectionIdsFor: await connectionsOfJobs(running),
      publishProgress,
      onStorageFull: (jobId) => pause(jobId, { kind: 'storage-full' }),
    });
    const until = now() + maxRunMs;
    const connectionIds = new Set(running.flatMap((job) => job.connectionIds));
    const moments = await Promise.all(
      [...connectionIds].map((id) => runConnection(id, running, until, writer)),
    );
    await writer.settled();
    for (const job of running) await finishIfDone(job);
    return scheduleNext(moments.filter((moment) => moment !== undefined));
  }

  /** Returns a function that lists the connections at which a row's code is asked. */
  async function connectionsOfJobs(
    running: readonly BulkJob[],
  ): Promise<(row: BulkRow) => readonly string[]> {
    const ofJob = new Map<string, readonly Connection[]>();
    for (const { id, connectionIds } of running) {
      const found = await Promise.all(connectionIds.map((each) => access.find(each)));
      ofJob.set(
        id,
        found.filter((each) => each !== undefined),
      );
    }
    return ({ jobId, code }) => connectionsFor(code, ofJob.get(jobId) ?? []).map(({ id }) => id);
  }

  async function finishIfDone({ id: jobId, connectionIds }: BulkJob): Promise<void> {
    if (stopped.has(jobId) || (await jobs.hasWaiting(jobId))) return;
    if (connectionIds.some((id) => unprovenOf(jobId, id).length > 0)) return;
    await change(jobId, (job) => (job.state === 'running' ? { ...job, state: 'done' } : job));
  }

  async function scheduleNext(moments: readonly number[]): Promise<DriveResult> {
    const all = calledDuringRun ? [...moments, now()] : moments;
    if (all.length === 0) return {};
    const nextRunAt = Math.min(...all);
    await scheduleAlarm(Math.max(nextRunAt, now() + alarmDelayMs));
    return { nextRunAt };
  }

  return {
    drive() {
      if (run !== undefined) {
        calledDuringRun = true;
        return run;
      }
      calledDuringRun = false;
      run = dependencies
        .tryWithLock(runJobs)
        .then((result) => result ?? { nextRunAt: now() + 1000 })
        .finally(() => (run = undefined));
      return run;
    },

    async set(jobId, to) {
      if (to === 'running') {
        await resume(jobId);
        return;
      }
      stopped.add(jobId);
      await change(jobId, (job) => (job.state === 'done' ? job : withState(job, to)));
    },

    async retry(jobId, which) {
      if ((await jobs.retry(jobId, which)) === 0) return;
      publishProgress({ kind: 'reset', jobId });
      await resume(jobId);
    },

    async skipConnection(jobId, connectionId) {
      const job = await jobs.job(jobId);
      if (job?.pausedBy?.kind !== 'fault' || job.pausedBy.connectionId !== connectionId) return;
      const outcome = fail(job.pausedBy.fault);
      for (;;) {
        const rows = await jobs.waiting(jobId, connectionId, 0, skippedRowsAtOnce);
        if (rows.length === 0) break;
        const finished = rows.map((row) => ({ ...row, checkedAt: now(), outcome }));
        if (!(await jobs.finish(finished)).ok) return;
        publishProgress({ kind: 'rows', rows: finished });
      }
      await resume(jobId);
    },

    async refresh(jobId, index) {
      const row = await jobs.row(jobId, index);
      if (row === undefined) return succeed(null);
      const { code, connectionId } = row;
      const report = await check({ code, connectionId, fresh: true });
      const { outcome, checkedAt, foundSpelling } = report;
      if (outcome.ok || row.outcome?.ok !== true) {
        const refreshed: BulkRow = omitUndefined({
          ...row,
          checkedAt,
          foundSpelling,
          outcome: outcome.ok ? succeed(summariseAnswer(outcome.value)) : outcome,
        });
        const written = await jobs.finish([refreshed]);
        if (!written.ok) return written;
        publishProgress({ kind: 'rows', rows: [refreshed] });
      }
      return outcome.ok ? succeed(null) : outcome;
    },

    async rename(jobId, name) {
      const renamed = await change(jobId, (job) => ({ ...job, name }));
      return renamed.ok ? succeed(null) : renamed;
    },

    async remove(jobId) {
      stopped.add(jobId);
      const undoUntil = now() + undoMs;
      // The alarm is set before the job is marked, so that a worker stopped in between leaves no deletion that nothing finishes.
      await scheduleFinalising(undoUntil);
      const changed = await jobs.change(jobId, (job) => ({ deletedUntil: undoUntil, ...job }));
      if (!changed.ok) await jobs.remove(jobId);
      publishProgress({ kind: 'removed', jobId });
      if (!changed.ok || changed.value === undefined) return { undoUntil: now() };
      return { undoUntil: changed.value.deletedUntil ?? undoUntil };
    },

    async restore(jobId) {
      const moment = now();
      const restored = await jobs.change(jobId, ({ deletedUntil, ...job }) =>
        deletedUntil === undefined || moment < deletedUntil ? job : { ...job, deletedUntil },
      );
      if (!restored.ok) return restored;
      const job = restored.value;
      if (job?.deletedUntil !== undefined || job === undefined) return fail({ kind: 'no-job' });
      stopped.delete(jobId);
      publishProgress({ kind: 'job', job });
      return succeed(null);
    },

    async finaliseDeletions() {
      const moment = now();
      for (const { id, deletedUntil = 0 } of await jobs.deletedJobs()) {
        if (deletedUntil <= moment) await jobs.remove(id);
        else await scheduleFinalising(deletedUntil);
      }
    },
  };
}

interface BulkNeeds {
  readonly seller: SellerFeature;
  readonly check: CheckFeature;
}

interface BulkFeature {
  readonly handlers: Handlers<'bulk'>;
  readonly alarmHandlers: Readonly<Record<'bulk' | 'finalise-jobs', () => Promise<void>>>;
  readonly start: () => Promise<void>;
}

export function createBulkFeature(
  context: AdministrationContext,
  { seller, check }: BulkNeeds,
): BulkFeature {
  const { jobs, publishProgress, readers, now } = context;
  const { access, accounts, validation, priority } = seller;
  const bulk = createBulk({
    jobs,
    access,
    accounts,
    validation,
    priority,
    readers,
    history: check.history,
    check: check.run,
    publishProgress,
    now,
    tryWithLock: (task) => context.tryWithLock('counterfoil-bulk', task),
    scheduleAlarm: (moment) => context.scheduleAlarm('bulk', moment),
    scheduleFinalising: (moment) => context.ensureAlarm('finalise-jobs', moment),
  });
  const drive = async (): Promise<void> => {
    await bulk.drive();
  };
  /** Replies for a topic that reports nothing. */
  const done = (): null => null;

  return {
    handlers: {
      'bulk.drive': () => bulk.drive(),
      'bulk.set': ({ jobId, to }) => bulk.set(jobId, to).then(done),
      'bulk.retry': ({ jobId, which }) => bulk.retry(jobId, which).then(done),
      'bulk.skip': ({ jobId, connectionId }) => bulk.skipConnection(jobId, connectionId).then(done),
      'bulk.refresh': ({ jobId, index }) => bulk.refresh(jobId, index),
      'bulk.rename': ({ jobId, name }) => bulk.rename(jobId, name),
      'bulk.remove': ({ jobId }) => bulk.remove(jobId),
      'bulk.restore': ({ jobId }) => bulk.restore(jobId),
    },
    alarmHandlers: { bulk: drive, 'finalise-jobs': () => bulk.finaliseDeletions() },
    async start() {
      await bulk.finaliseDeletions();
      await drive();
    },
  };
}

/** Returns the job in another state, without the reason why it was paused. */
function withState(job: BulkJob, state: BulkJob['state']): BulkJob {
  return omitUndefined({ ...job, state, pausedBy: undefined });
}
