import { type BulkRunnerDependencies, runBulk } from '#background/bulk/bulk-runner';
import { alarmDelayMs, type JobStates } from '#background/bulk/job-states';
import { createRowWriter, type RowWriter } from '#background/bulk/row-writer';
import type { History } from '#background/check/history';
import type { BulkJob, JobUpdate } from '#core/jobs/index';

/** A run ends well within the time a page waits for its reply. */
const maxRunMs = 15_000;

interface JobDriverDependencies extends BulkRunnerDependencies {
  readonly states: JobStates;
  readonly history: History;
  readonly publishProgress: (update: JobUpdate) => void;
  /** Runs a task under a lock of the browser; returns undefined when the lock is taken. */
  readonly tryWithLock: <T>(task: () => Promise<T>) => Promise<T | undefined>;
  /** Asks for the jobs to be run at a moment, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
}

/** `nextRunAt`: when to call again, epoch milliseconds; absent when nothing is left to do. */
interface DriveResult {
  nextRunAt?: number;
}

/**
 * Creates what works on running jobs for some seconds. Concurrent calls share one run. An alarm calls it as well, so
 * that a job continues with no page open.
 *
 * The store alone holds what is left to do, and a row leaves the queue only with its outcome written: a worker stopped
 * at any moment repeats the few requests that were in flight, and no other.
 */
export function createJobDriver(dependencies: JobDriverDependencies): () => Promise<DriveResult> {
  const { scheduleAlarm, now } = dependencies;
  let run: Promise<DriveResult> | undefined;
  let calledDuringRun = false;

  async function scheduleNext(moments: readonly number[]): Promise<DriveResult> {
    const all = calledDuringRun ? [...moments, now()] : moments;
    if (all.length === 0) return {};
    const nextRunAt = Math.min(...all);
    await scheduleAlarm(Math.max(nextRunAt, now() + alarmDelayMs));
    return { nextRunAt };
  }

  return () => {
    if (run !== undefined) {
      calledDuringRun = true;
      return run;
    }
    calledDuringRun = false;
    run = dependencies
      .tryWithLock(async () => scheduleNext(await runJobs(dependencies)))
      .then((result) => result ?? { nextRunAt: now() + 1000 })
      .finally(() => (run = undefined));
    return run;
  };
}

/**
 * Runs the jobs at all of their connections; returns when to continue with those that are not done, epoch milliseconds.
 */
async function runJobs(dependencies: JobDriverDependencies): Promise<number[]> {
  const { jobs, states, history, publishProgress, scheduleAlarm, now } = dependencies;
  const wanted = (await jobs.jobs()).filter(({ state }) => state === 'running').toReversed();
  if (wanted.length === 0) return [];
  await scheduleAlarm(now() + alarmDelayMs);
  const running = await states.begin(wanted);
  const several = new Set(
    running.filter(({ connectionIds }) => connectionIds.length > 1).map(({ id }) => id),
  );
  const writer = createRowWriter({
    jobs,
    history,
    asksSeveral: (jobId) => several.has(jobId),
    publishProgress,
    onStorageFull: async (jobId) => {
      await states.pause(jobId, { kind: 'storage-full' });
    },
  });
  const until = now() + maxRunMs;
  const connectionIds = new Set(running.flatMap((job) => job.connectionIds));
  const moments = await Promise.all(
    [...connectionIds].map((id) => runConnection(dependencies, id, running, until, writer)),
  );
  await writer.settled();
  for (const job of running) await states.finishIfDone(job);
  return moments.filter((moment) => moment !== undefined);
}

/** Runs the jobs of one connection, the oldest first; returns when to continue, if time ran out. */
async function runConnection(
  dependencies: JobDriverDependencies,
  connectionId: string,
  running: readonly BulkJob[],
  until: number,
  writer: RowWriter,
): Promise<number | undefined> {
  const { jobs, states, publishProgress } = dependencies;
  for (const { id: jobId, connectionIds, expectedItemId } of running) {
    if (!connectionIds.includes(connectionId)) continue;
    const result = await runBulk(dependencies, {
      jobId,
      connectionId,
      until,
      expectedItemId,
      isStopped: () => states.isStopped(jobId),
      tellWait: (fault, waitUntil) => {
        publishProgress({ kind: 'wait', jobId, connectionId, fault, until: waitUntil });
      },
      unchecked: states.uncheckedOf(jobId, connectionId),
      lastUnchecked: async () =>
        (await jobs.hasWaiting(jobId)) ? [] : jobs.unchecked(jobId, connectionId),
      finish: writer.add,
      confirm: writer.confirm,
    });
    if (result.kind === 'paused') writer.takeBack(await states.pause(jobId, result.reason));
    if (result.kind === 'later') return result.nextRunAt;
  }
  return undefined;
}
