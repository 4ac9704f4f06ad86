import { inState } from '#core/bulk/job';
import type { BulkJob, BulkRow, JobUpdate, JobState, PauseReason } from '#core/bulk/job';
import { fail } from '#core/result';
import type { Connection } from '#core/connections/connection';
import type { BulkRunResult, BulkRunnerParts } from '#background/bulk/bulk-runner';
import { runBulk } from '#background/bulk/bulk-runner';
import type { History } from '#background/check/history';

/** One turn ends well within the time a page waits for an answer. */
const turnMs = 15_000;
/** Browsers' alarms ring no sooner: when the worker is stopped in mid-turn, this brings it back. */
const wakeMs = 30_000;

interface Parts extends BulkRunnerParts {
  readonly history: History;
  /** Tells open pages. */
  readonly announce: (news: JobUpdate) => void;
  /** Runs a task unless another one like it runs anywhere in this browser; `undefined` then. */
  readonly runAlone: <T>(task: () => Promise<T>) => Promise<T | undefined>;
  /** Asks for `drive` to be called at a moment, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
}

export interface Bulk {
  /**
   * Works on running jobs for some seconds. `again`: when it is worth calling once more, epoch milliseconds; absent when
   * nothing is left to do. An alarm calls as well, so that a job goes on with no page open; whoever calls in between shares
   * the one run.
   */
  drive(): Promise<{ readonly again?: number }>;
  set(jobId: string, to: Exclude<JobState, 'done'>): Promise<void>;
  /** Asks again about the rows whose outcome is a fault. */
  retryFailed(jobId: string): Promise<void>;
  /** Goes on without a connection that holds the job up: its waiting rows get its fault as their outcome. */
  skipConnection(jobId: string, connectionId: string): Promise<void>;
  remove(jobId: string): Promise<void>;
}

/**
 * Runs bulk checks. What is left to ask stands in the store alone, and a row leaves it only with its outcome written: a
 * worker stopped at any moment asks again about the few rows that were under way, and about no other.
 */
export function createBulk(parts: Parts): Bulk {
  const { jobs, history, announce, now } = parts;
  /** Jobs told to stop while a run is under way. */
  const stopped = new Set<string>();
  let flight: Promise<{ again?: number }> | undefined;
  let calledMeanwhile = false;

  async function change(jobId: string, edit: (job: BulkJob) => BulkJob): Promise<void> {
    const changed = await jobs.change(jobId, edit);
    if (changed.ok && changed.value !== undefined) announce({ kind: 'job', job: changed.value });
  }

  const pause = async (jobId: string, pausedBy: PauseReason): Promise<void> => {
    stopped.add(jobId);
    await change(jobId, (job) =>
      job.state === 'running' ? { ...job, state: 'paused', pausedBy } : job,
    );
  };

  /** Writes what has come in meanwhile as one transaction, over and over: no row waits for another to be written. */
  function createWriter(): {
    put: (row: BulkRow, connection: Connection) => void;
    settled: () => Promise<void>;
  } {
    let finished: { row: BulkRow; connection: Connection }[] = [];
    let writing: Promise<void> | undefined;

    async function write(): Promise<void> {
      while (finished.length > 0) {
        const batch = finished;
        finished = [];
        const rows = batch.map(({ row }) => row);
        if (!(await jobs.finish(rows)).ok) {
          for (const id of new Set(rows.map(({ jobId }) => jobId)))
            await pause(id, { kind: 'storage-full' });
          continue;
        }
        announce({ kind: 'rows', rows });
        for (const [connection, answers] of byConnection(batch))
          await history.noteBulk(connection, answers).catch(() => undefined);
      }
      writing = undefined;
    }

    return {
      put(row, connection) {
        finished.push({ row, connection });
        writing ??= write();
      },
      settled: async () => {
        while (writing !== undefined) await writing;
      },
    };
  }

  async function turn(): Promise<{ again?: number }> {
    const running = (await jobs.jobs()).filter(({ state }) => state === 'running').toReversed();
    if (running.length === 0) return {};
    await parts.scheduleAlarm(now() + wakeMs);
    const writer = createWriter();
    const until = now() + turnMs;

    /** One job after the other, the oldest first. */
    async function belt(connectionId: string): Promise<number | undefined> {
      for (const { id: jobId, connectionIds } of running) {
        if (!connectionIds.includes(connectionId)) continue;
        const isStopped = (): boolean => stopped.has(jobId);
        const end: BulkRunResult = await runBulk(parts, {
          ...{ jobId, connectionId, until, isStopped },
          finish: writer.put,
        });
        if (end.kind === 'paused') await pause(jobId, end.reason);
        if (end.kind === 'later') return end.again;
      }
      return undefined;
    }

    for (const { id } of running) stopped.delete(id);
    const connectionIds = new Set(running.flatMap((job) => job.connectionIds));
    const again = await Promise.all([...connectionIds].map(belt));
    await writer.settled();
    for (const { id } of running)
      if (!stopped.has(id) && !(await jobs.hasWaiting(id)))
        await change(id, (job) => (job.state === 'running' ? { ...job, state: 'done' } : job));

    const moments = again.filter((moment) => moment !== undefined);
    if (calledMeanwhile) moments.push(now());
    if (moments.length === 0) return {};
    const next = Math.min(...moments);
    await parts.scheduleAlarm(Math.max(next, now() + wakeMs));
    return { again: next };
  }

  async function goOn(jobId: string): Promise<void> {
    stopped.delete(jobId);
    await change(jobId, (job) => inState(job, 'running'));
    await parts.scheduleAlarm(now() + wakeMs);
  }

  return {
    drive() {
      if (flight !== undefined) {
        calledMeanwhile = true;
        return flight;
      }
      calledMeanwhile = false;
      flight = parts
        .runAlone(turn)
        .then((ended) => ended ?? { again: now() + 1000 })
        .finally(() => (flight = undefined));
      return flight;
    },

    async set(jobId, to) {
      if (to === 'running') {
        await goOn(jobId);
        return;
      }
      stopped.add(jobId);
      await change(jobId, (job) => (job.state === 'done' ? job : inState(job, to)));
    },

    async retryFailed(jobId) {
      if ((await jobs.retryFailed(jobId)) === 0) return;
      announce({ kind: 'reset', jobId });
      await goOn(jobId);
    },

    async skipConnection(jobId, connectionId) {
      const job = await jobs.job(jobId);
      if (job?.pausedBy?.kind !== 'fault') return;
      const outcome = fail(job.pausedBy.fault);
      for (;;) {
        const rows = await jobs.waiting(jobId, connectionId, 0, 1000);
        if (rows.length === 0) break;
        const finished = rows.map((row) => ({ ...row, checkedAt: now(), outcome }));
        if (!(await jobs.finish(finished)).ok) return;
        announce({ kind: 'rows', rows: finished });
      }
      await goOn(jobId);
    },

    async remove(jobId) {
      stopped.add(jobId);
      await jobs.remove(jobId);
      announce({ kind: 'removed', jobId });
    },
  };
}

type Answers = Parameters<History['noteBulk']>[1];

function byConnection(
  batch: readonly { readonly row: BulkRow; readonly connection: Connection }[],
): Map<Connection, Answers> {
  const groups = Map.groupBy(batch, ({ connection }) => connection);
  return new Map(
    [...groups].map(([connection, entries]) => [
      connection,
      entries.flatMap(({ row: { code, checkedAt, outcome } }) =>
        outcome?.ok === true && checkedAt !== undefined
          ? [{ code, checkedAt, answer: outcome.value }]
          : [],
      ),
    ]),
  );
}
