import { createBulk } from '#background/bulk/bulk';
import type { CheckFeature } from '#background/check/feature';
import type { AdministrationContext } from '#background/dependencies';
import type { SellerFeature } from '#background/seller/feature';
import type { BulkReplies } from '#messaging/topics/bulk';
import type { HandlersOf } from '#messaging/serve';

interface BulkNeeds {
  readonly seller: SellerFeature;
  readonly check: CheckFeature;
}

export interface BulkFeature {
  readonly handlers: HandlersOf<BulkReplies>;
  readonly alarmHandlers: Readonly<Record<'bulk' | 'finalise-jobs', () => Promise<void>>>;
  readonly start: () => Promise<void>;
}

export function createBulkFeature(
  context: AdministrationContext,
  { seller, check }: BulkNeeds,
): BulkFeature {
  const { jobs, publishProgress, now } = context;
  const { access, accounts, validation, priority } = seller;
  const bulk = createBulk({
    jobs,
    access,
    accounts,
    validation,
    priority,
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
      'bulk.retry': ({ jobId }) => bulk.retryFailed(jobId).then(done),
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
