import type { JobStore } from '#adapters/storage/worker/index';
import { createJobDriver } from '#background/bulk/job-driver';
import { createJobStates, type JobStates } from '#background/bulk/job-states';
import type { CheckFeature } from '#background/check/check-handlers';
import type { AdministrationContext } from '#background/dependencies';
import type { SellerFeature } from '#background/seller/index';
import { createSoftDelete, type SoftDelete } from '#background/soft-delete';
import { type CheckRequest, questionAbout, summariseAnswer } from '#core/check/index';
import { bestFirst, reportsToRefresh } from '#core/verdict/index';
import type { BulkJob, BulkRow, JobUpdate } from '#core/jobs/index';
import type { Fault } from '#core/marketplaces/index';
import { fail, omitUndefined, type Result, succeed } from '#core/result';
import type { StorageFull } from '#core/storage/index';
import type { Handlers } from '#messaging/index';

const skippedRowsAtOnce = 1000;

interface BulkNeeds {
  readonly seller: SellerFeature;
  readonly check: CheckFeature;
}

interface BulkFeature {
  readonly handlers: Handlers<'bulk'>;
  readonly alarmHandlers: Readonly<Record<'bulk' | 'finalise-jobs', () => Promise<void>>>;
  readonly start: () => Promise<void>;
}

/** Runs bulk checks, and changes their jobs and rows. */
export function createBulkFeature(
  context: AdministrationContext,
  { seller, check }: BulkNeeds,
): BulkFeature {
  const { jobs, publishProgress, readers, now } = context;
  const { access, accounts, validation, priority } = seller;
  const scheduleAlarm = (moment: number): Promise<void> => context.scheduleAlarm('bulk', moment);
  const states = createJobStates({ jobs, publishProgress, scheduleAlarm, now });
  const parts = {
    jobs,
    states,
    publishProgress,
    now,
    check: check.run,
  };
  const softDelete = createSoftDelete<BulkJob>({
    store: {
      change: (id, edit) => jobs.change(id, edit),
      read: () => jobs.deletedJobs(),
      remove: (ids) => Promise.all([...ids].map((id) => jobs.remove(id))).then(() => true),
    },
    scheduleAlarm: (moment) => context.scheduleAlarm('finalise-jobs', moment),
    now,
  });
  const finalise = (): Promise<void> => softDelete.finalise().then(() => undefined);
  const drive = createJobDriver({
    jobs,
    states,
    access,
    accounts,
    validation,
    priority,
    readers,
    history: check.history,
    publishProgress,
    now,
    scheduleAlarm,
    tryWithLock: (task) => context.tryWithLock('counterfoil-bulk', task),
  });

  return {
    handlers: {
      'bulk.drive': drive,
      'bulk.set': async ({ jobId, to }) => toReply(await states.set(jobId, to)),
      'bulk.rename': async ({ jobId, name }) => {
        return toReply(await states.change(jobId, (job) => ({ ...job, name })));
      },
      ...createRowHandlers(parts),
      ...createDeletionHandlers(parts, softDelete),
    },
    alarmHandlers: {
      bulk: () => drive().then(() => undefined),
      'finalise-jobs': finalise,
    },
    async start() {
      await finalise();
      await drive();
    },
  };
}

interface RowNeeds {
  readonly jobs: JobStore;
  readonly states: JobStates;
  readonly publishProgress: (update: JobUpdate) => void;
  /** Checks one code at one connection, before all waiting rows. */
  readonly check: CheckFeature['run'];
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Creates the handlers for rows: checking them again, or giving them up. */
function createRowHandlers({
  jobs,
  states,
  publishProgress,
  check,
  now,
}: RowNeeds): Pick<Handlers<'bulk'>, 'bulk.retry' | 'bulk.skip' | 'bulk.refresh'> {
  return {
    'bulk.retry': async ({ jobId, which }) => {
      const waiting = await jobs.retry(jobId, which, crypto.randomUUID());
      if (!waiting.ok || waiting.value.length === 0) return toReply(waiting);
      const resumed = await states.resume(jobId);
      publishProgress({ kind: 'reset', jobId });
      return toReply(resumed);
    },

    // The waiting rows of the connection that paused the job get that fault as their outcome.
    'bulk.skip': async ({ jobId, connectionId }) => {
      const job = await jobs.job(jobId);
      if (job?.pausedBy?.kind !== 'fault' || job.pausedBy.connectionId !== connectionId)
        return succeed(null);
      const outcome = fail(job.pausedBy.fault);
      for (;;) {
        const rows = await jobs.waiting(jobId, connectionId, 0, skippedRowsAtOnce);
        if (rows.length === 0) break;
        const finished = rows.map((row) => ({
          ...row,
          checkedAt: now(),
          finishedAt: now(),
          outcome,
        }));
        const written = await jobs.finish(finished);
        if (!written.ok) return written;
        publishProgress({ kind: 'rows', rows: finished });
      }
      return toReply(await states.resume(jobId));
    },

    'bulk.refresh': async ({ jobId, indexes }) => {
      const found = await Promise.all(indexes.map((index) => jobs.row(jobId, index)));
      const rows = found.filter((row) => row !== undefined);
      const settled = rows.filter(({ outcome }) => outcome !== undefined);
      const question = questionAbout(crypto.randomUUID(), settled);
      const { expectedItemId } = (await jobs.job(jobId)) ?? {};
      const refreshed = reportsToRefresh(bestFirst(rows, now())).map((row) =>
        refreshRow(row, omitUndefined({ question, expectedItemId })),
      );
      const failed = (await Promise.all(refreshed)).find(({ ok }) => !ok);
      return failed ?? succeed(null);
    },
  };

  async function refreshRow(
    row: BulkRow,
    asked: Pick<CheckRequest, 'question' | 'expectedItemId'>,
  ): Promise<Result<null, Fault | StorageFull>> {
    const { code, connectionId } = row;
    const report = await check({ ...asked, code, connectionId, fresh: true });
    const { outcome, checkedAt, foundSpelling } = report;
    if (outcome.ok || row.outcome?.ok !== true) {
      const refreshed: BulkRow = omitUndefined({
        ...row,
        checkedAt,
        finishedAt: now(),
        foundSpelling,
        outcome: outcome.ok ? succeed(summariseAnswer(outcome.value)) : outcome,
        question: outcome.ok ? asked.question?.id : row.question,
      });
      const written = await jobs.finish([refreshed]);
      if (!written.ok) return written;
      publishProgress({ kind: 'rows', rows: [refreshed] });
    }
    return outcome.ok ? succeed(null) : outcome;
  }
}

/** Makes the reply of a topic whose only fault is a full disk. */
function toReply(result: Result<unknown, StorageFull>): Result<null, StorageFull> {
  return result.ok ? succeed(null) : result;
}

type DeletionHandlers = Pick<Handlers<'bulk'>, 'bulk.remove' | 'bulk.restore'>;

/**
 * Creates the handlers for deleting jobs. A deletion can be undone for a while, unless the disk is too full to record
 * it.
 */
function createDeletionHandlers(
  { jobs, states, publishProgress, now }: RowNeeds,
  softDelete: SoftDelete<BulkJob>,
): DeletionHandlers {
  return {
    'bulk.remove': async ({ jobId }) => {
      states.stop(jobId);
      const deleted = await softDelete.delete(jobId);
      if (!deleted.ok) await jobs.remove(jobId);
      publishProgress({ kind: 'removed', jobId });
      return deleted.ok ? deleted.value : { undoUntil: now() };
    },

    'bulk.restore': async ({ jobId }) => {
      const restored = await softDelete.restore(jobId);
      if (!restored.ok) return restored;
      const job = restored.value;
      if (job === undefined) return fail({ kind: 'no-job' });
      states.allow(jobId);
      publishProgress({ kind: 'job', job });
      return succeed(null);
    },
  };
}
