import type { JobStore } from '#adapters/storage/worker/index';
import type { RowInDoubt } from '#background/bulk/bulk-runner';
import { isAboutKey } from '#core/check/index';
import type { BulkJob, BulkRow, FaultPause, JobUpdate, PauseReason } from '#core/jobs/index';
import { omitUndefined, type Result, succeed } from '#core/result';
import type { StorageFull } from '#core/storage/index';

/**
 * The shortest delay of a browser alarm, in milliseconds. The alarm continues the job if the worker was stopped during
 * a run.
 */
export const alarmDelayMs = 30_000;

/** Why a job is paused, without the facts that the run does not know. */
type PauseCause = Omit<FaultPause, 'at' | 'putBack'> | Exclude<PauseReason, FaultPause>;

interface JobStatesDependencies {
  readonly jobs: JobStore;
  readonly publishProgress: (update: JobUpdate) => void;
  /** Asks for the jobs to be run at a moment, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Changes the state of jobs, and informs the pages. */
export interface JobStates {
  /** Changes a job if it exists; returns the changed job. */
  change(
    jobId: string,
    edit: (job: BulkJob) => BulkJob,
  ): Promise<Result<BulkJob | undefined, StorageFull>>;
  isStopped(jobId: string): boolean;
  /** Ends the present run of a job, whatever its state is or becomes. */
  stop(jobId: string): void;
  /** Undoes `stop`. */
  allow(jobId: string): void;
  /**
   * Returns the jobs that may run now. To test for a full disk, each is first written unchanged, so that no answer is
   * requested that could not be stored. The alarm tries again later.
   */
  begin(wanted: readonly BulkJob[]): Promise<BulkJob[]>;
  /**
   * Pauses a job. Returns the not-founds that now wait again, because the key that gave them may have been refused
   * since.
   */
  pause(jobId: string, cause: PauseCause): Promise<readonly BulkRow[]>;
  resume(jobId: string): Promise<Result<void, StorageFull>>;
  /**
   * Sets the state that the agent chose. If a job is cancelled while it checks codes again, it is done and its waiting
   * rows get their old outcomes back. A state that cannot be stored still applies as long as this worker runs, and is
   * stored once there is room.
   */
  set(jobId: string, to: Exclude<BulkJob['state'], 'done'>): Promise<Result<void, StorageFull>>;
  /** Ends a job if none of its rows waits and no not-found is in doubt. */
  finishIfDone(job: BulkJob): Promise<void>;
  /**
   * Returns the not-founds of a job at a connection whose key still has to be checked; the run adds and removes
   * entries.
   */
  inDoubtAt(jobId: string, connectionId: string): RowInDoubt[];
}

export function createJobStates(dependencies: JobStatesDependencies): JobStates {
  const { jobs, publishProgress, scheduleAlarm, now } = dependencies;
  const stopped = new Set<string>();
  /** The states chosen by the agent that could not be stored, by job. */
  const unstored = new Map<string, BulkJob['state']>();
  /** By job and connection. Entries of a deleted job stay until the worker stops. */
  const inDoubt = new Map<string, RowInDoubt[]>();

  const change: JobStates['change'] = async (jobId, edit) => {
    const changed = await jobs.change(jobId, edit);
    if (changed.ok && changed.value !== undefined)
      publishProgress({ kind: 'job', job: changed.value });
    return changed;
  };

  function inDoubtAt(jobId: string, connectionId: string): RowInDoubt[] {
    const owner = `${jobId} ${connectionId}`;
    const rows = inDoubt.get(owner) ?? [];
    inDoubt.set(owner, rows);
    return rows;
  }

  async function putBack(jobId: string, cause: PauseCause): Promise<readonly BulkRow[]> {
    if (cause.kind !== 'fault' || !isAboutKey(cause.fault)) return [];
    inDoubtAt(jobId, cause.connectionId).splice(0);
    const rows = await jobs.putBackInDoubt(jobId, cause.connectionId);
    if (rows.length > 0) publishProgress({ kind: 'reset', jobId });
    return rows;
  }

  async function setState(jobId: string, to: BulkJob['state']): Promise<Result<void, StorageFull>> {
    const changed = await change(jobId, (job) => withState(job, to));
    if (changed.ok) unstored.delete(jobId);
    else unstored.set(jobId, to);
    return changed.ok ? succeed(undefined) : changed;
  }

  async function resume(jobId: string): Promise<Result<void, StorageFull>> {
    stopped.delete(jobId);
    const resumed = await setState(jobId, 'running');
    await scheduleAlarm(now() + alarmDelayMs);
    return resumed;
  }

  return {
    change,
    isStopped: (jobId) => stopped.has(jobId),
    stop: (jobId) => stopped.add(jobId),
    allow: (jobId) => stopped.delete(jobId),

    async begin(wanted) {
      const running: BulkJob[] = [];
      for (const job of wanted) {
        stopped.delete(job.id);
        const chosen = unstored.get(job.id);
        const stored = await change(job.id, (same) =>
          chosen === undefined ? same : withState(same, chosen),
        );
        if (stored.ok) unstored.delete(job.id);
        const pausedBy = { kind: 'storage-full' } as const;
        if (!stored.ok)
          publishProgress({ kind: 'job', job: { ...job, state: 'paused', pausedBy } });
        else if (stored.value?.state === 'running') running.push(stored.value);
      }
      return running;
    },

    async pause(jobId, cause) {
      stopped.add(jobId);
      const waiting = await putBack(jobId, cause);
      const pausedBy =
        cause.kind === 'fault'
          ? omitUndefined({ ...cause, at: now(), putBack: waiting.length || undefined })
          : cause;
      await change(jobId, (job) =>
        job.state === 'running' ? { ...job, state: 'paused', pausedBy } : job,
      );
      return waiting;
    },

    resume,

    async set(jobId, to) {
      if (to === 'running') return resume(jobId);
      stopped.add(jobId);
      if (to === 'paused') return setState(jobId, to);
      await jobs.endRetry(jobId);
      publishProgress({ kind: 'reset', jobId });
      return setState(jobId, (await jobs.hasWaiting(jobId)) ? to : 'done');
    },

    async finishIfDone({ id, connectionIds }) {
      if (stopped.has(id) || (await jobs.hasWaiting(id))) return;
      if (connectionIds.some((connectionId) => inDoubtAt(id, connectionId).length > 0)) return;
      await change(id, (job) => (job.state === 'running' ? { ...job, state: 'done' } : job));
    },

    inDoubtAt,
  };
}

/** Returns the job in another state, without its reason for pausing. A job that is done can only run again. */
function withState(job: BulkJob, state: BulkJob['state']): BulkJob {
  if (job.state === 'done' && state !== 'running') return job;
  return omitUndefined({ ...job, state, pausedBy: undefined });
}
