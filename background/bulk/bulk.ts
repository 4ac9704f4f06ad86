import { type BulkRunnerDependencies, runBulk } from '#background/bulk/bulk-runner';
import { type RowWriter, createRowWriter } from '#background/bulk/row-writer';
import type { History } from '#background/check/history';
import { withState } from '#core/bulk/job';
import type { BulkJob, JobState, JobUpdate, PauseReason } from '#core/bulk/job';
import { fail } from '#core/result';

/** A run ends well within the time a page waits for its reply. */
const maxRunMs = 15_000;
/** The shortest delay of a browser's alarm: it continues the job when the worker was stopped during a run. */
const alarmDelayMs = 30_000;
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
  set(jobId: string, to: Exclude<JobState, 'done'>): Promise<void>;
  /** Runs the rows whose outcome is a fault again. */
  retryFailed(jobId: string): Promise<void>;
  /** Continues without the connection that paused the job: its waiting rows get the fault as their outcome. */
  skipConnection(jobId: string, connectionId: string): Promise<void>;
  remove(jobId: string): Promise<void>;
}

/**
 * Runs bulk checks. The store alone holds what is left to do, and a row leaves the queue only with its outcome written:
 * a worker stopped at any moment repeats the few requests that were in flight, and no other.
 */
export function createBulk(outside: BulkDependencies): Bulk {
  const { jobs, history, publishProgress, scheduleAlarm, now } = outside;
  /** Jobs stopped during the present run. */
  const stopped = new Set<string>();
  let run: Promise<DriveResult> | undefined;
  let calledDuringRun = false;

  async function change(jobId: string, edit: (job: BulkJob) => BulkJob): Promise<void> {
    const changed = await jobs.change(jobId, edit);
    if (changed.ok && changed.value !== undefined)
      publishProgress({ kind: 'job', job: changed.value });
  }

  async function pause(jobId: string, pausedBy: PauseReason): Promise<void> {
    stopped.add(jobId);
    await change(jobId, (job) =>
      job.state === 'running' ? { ...job, state: 'paused', pausedBy } : job,
    );
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
    for (const { id: jobId, connectionIds } of running) {
      if (!connectionIds.includes(connectionId)) continue;
      const result = await runBulk(outside, {
        ...{ jobId, connectionId, until },
        isStopped: () => stopped.has(jobId),
        finish: (row, connection) => writer.add(row, connection),
      });
      if (result.kind === 'paused') await pause(jobId, result.reason);
      if (result.kind === 'later') return result.nextRunAt;
    }
    return undefined;
  }

  async function runJobs(): Promise<DriveResult> {
    const running = (await jobs.jobs()).filter(({ state }) => state === 'running').toReversed();
    if (running.length === 0) return {};
    await scheduleAlarm(now() + alarmDelayMs);
    for (const { id } of running) stopped.delete(id);

    const writer = createRowWriter({
      ...{ jobs, history, publishProgress },
      onStorageFull: (jobId) => pause(jobId, { kind: 'storage-full' }),
    });
    const until = now() + maxRunMs;
    const connectionIds = new Set(running.flatMap((job) => job.connectionIds));
    const moments = await Promise.all(
      [...connectionIds].map((id) => runConnection(id, running, until, writer)),
    );
    await writer.settled();
    for (const { id } of running) await finishIfDone(id);
    return scheduleNext(moments.filter((moment) => moment !== undefined));
  }

  async function finishIfDone(jobId: string): Promise<void> {
    if (stopped.has(jobId) || (await jobs.hasWaiting(jobId))) return;
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
      run = outside
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

    async retryFailed(jobId) {
      if ((await jobs.retryFailed(jobId)) === 0) return;
      publishProgress({ kind: 'reset', jobId });
      await resume(jobId);
    },

    async skipConnection(jobId, connectionId) {
      const job = await jobs.job(jobId);
      if (job?.pausedBy?.kind !== 'fault') return;
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

    async remove(jobId) {
      stopped.add(jobId);
      await jobs.remove(jobId);
      publishProgress({ kind: 'removed', jobId });
    },
  };
}
