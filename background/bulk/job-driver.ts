import { type BulkRunnerDependencies, runBulk } from '#background/bulk/bulk-runner';
import { alarmDelayMs, type JobStates } from '#background/bulk/job-states';
import { createRowWriter, type RowWriter } from '#background/bulk/row-writer';
import type { History } from '#background/check/history';
import type { JobStore } from '#adapters/storage/worker/index';
import type { BulkJob, JobUpdate } from '#core/jobs/index';

/** The longest run, in milliseconds: well below the time that a page waits for its reply. */
const maxRunMs = 15_000;

interface JobDriverDependencies extends BulkRunnerDependencies {
  readonly states: JobStates;
  readonly history: History;
  readonly publishProgress: (update: JobUpdate) => void;
  /** Runs a task under a browser lock; returns undefined if the lock is taken. */
  readonly tryWithLock: <T>(task: () => Promise<T>) => Promise<T | undefined>;
  /** Schedules the next run of the jobs, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
}

/** `nextRunAt`: when to call again, epoch milliseconds; absent while no job runs. */
interface DriveResult {
  nextRunAt?: number;
}

/**
 * Creates a function that works on running jobs for some seconds. Concurrent calls share one run. An alarm calls it as
 * well, so that a job continues without an open page.
 *
 * All remaining work is in the store, and a row leaves the queue only after its outcome is written. If the worker is
 * stopped at any moment, only the few requests in flight are repeated.
 */
export function createJobDriver(dependencies: JobDriverDependencies): () => Promise<DriveResult> {
  const { jobs, scheduleAlarm, now } = dependencies;
  let run: Promise<DriveResult> | undefined;
  let isCalled = false;

  /** Tells whether the driver was called since the last call of this function. */
  function takeCall(): boolean {
    const wasCalled = isCalled;
    isCalled = false;
    return wasCalled;
  }

  async function drive(): Promise<DriveResult> {
    const { laterAt, unstored } = await runJobs(dependencies);
    let isLeft = false;
    // A caller that joins a run may have added or resumed a job just before.
    while (!isLeft && takeCall()) isLeft = await isRowLeft(jobs, laterAt, unstored);
    const moments = isLeft ? [now()] : [...laterAt.values()];
    if (moments.length === 0) return {};
    const nextRunAt = Math.min(...moments);
    await scheduleAlarm(Math.max(nextRunAt, now() + alarmDelayMs));
    return { nextRunAt };
  }

  return () => {
    isCalled = true;
    run ??= dependencies
      .tryWithLock(drive)
      .then((result) => result ?? { nextRunAt: now() + 1000 })
      .finally(() => (run = undefined));
    return run;
  };
}

/** The jobs that a run left unfinished, and when they continue. */
interface LeftByRun {
  /** When to continue at each connection that the run did not finish, by its id, epoch milliseconds. */
  readonly laterAt: ReadonlyMap<string, number>;
  /** The ids of the jobs that were not run because the disk is full. */
  readonly unstored: ReadonlySet<string>;
}

/** Tells whether a job that was added or resumed during a run has rows that can be checked now. */
async function isRowLeft(
  jobs: JobStore,
  laterAt: LeftByRun['laterAt'],
  unstored: LeftByRun['unstored'],
): Promise<boolean> {
  for (const { id, state, connectionIds } of await jobs.jobs()) {
    if (state !== 'running' || unstored.has(id)) continue;
    for (const connectionId of connectionIds.filter((each) => !laterAt.has(each)))
      if ((await jobs.waiting(id, connectionId, 0, 1)).length > 0) return true;
  }
  return false;
}

async function runJobs(dependencies: JobDriverDependencies): Promise<LeftByRun> {
  const { jobs, states, history, publishProgress, scheduleAlarm, now } = dependencies;
  const wanted = (await jobs.jobs()).filter(({ state }) => state === 'running').toReversed();
  if (wanted.length === 0) return { laterAt: new Map(), unstored: new Set() };
  await scheduleAlarm(now() + alarmDelayMs);
  const running = await states.begin(wanted);
  const writer = createRowWriter({
    jobs,
    history,
    asksSeveral: (jobId) =>
      running.some(({ id, connectionIds }) => id === jobId && connectionIds.length > 1),
    publishProgress,
    onStorageFull: async (jobId) => {
      await states.pause(jobId, { kind: 'storage-full' });
    },
  });
  const until = now() + maxRunMs;
  const connectionIds = new Set(running.flatMap((job) => job.connectionIds));
  const laterAt = new Map<string, number>();
  await Promise.all(
    [...connectionIds].map(async (id) => {
      const moment = await runConnection(dependencies, id, running, until, writer);
      if (moment !== undefined) laterAt.set(id, moment);
    }),
  );
  await writer.settled();
  for (const job of running) await states.finishIfDone(job);
  const begun = new Set(running.map(({ id }) => id));
  return { laterAt, unstored: new Set(wanted.map(({ id }) => id)).difference(begun) };
}

/** Runs the jobs of one connection, oldest first; returns when to continue if time ran out. */
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
        publishProgress({ kind: 'wait', connectionId, fault, until: waitUntil });
      },
      inDoubt: states.inDoubtAt(jobId, connectionId),
      storedInDoubt: async () =>
        (await jobs.hasWaiting(jobId)) ? [] : jobs.inDoubt(jobId, connectionId),
      finish: writer.add,
      confirm: writer.confirm,
    });
    if (result.kind === 'paused') {
      const { fault, revision } = result;
      const waiting = await states.pause(jobId, { kind: 'fault', connectionId, fault, revision });
      writer.takeBack(waiting);
    }
    if (result.kind === 'later') return result.nextRunAt;
  }
  return undefined;
}
