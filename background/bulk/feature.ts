import { createBulk } from '#background/bulk/bulk';
import type { History } from '#background/check/history';
import type { WorkerContext } from '#background/dependencies';
import type { SellerFeature } from '#background/seller/feature';
import type { CheckReport } from '#core/check/check-report';
import type { BulkReplies } from '#messaging/topics/bulk';
import type { CheckRequest } from '#messaging/topics/check';
import type { HandlersOf } from '#messaging/serve';

interface BulkNeeds {
  readonly seller: SellerFeature;
  readonly history: History;
  readonly check: (request: CheckRequest) => Promise<CheckReport>;
}

export interface BulkFeature {
  readonly handlers: HandlersOf<BulkReplies>;
  readonly alarmHandlers: Readonly<Record<'bulk' | 'finalise-jobs', () => Promise<void>>>;
  readonly start: () => Promise<void>;
}

export function createBulkFeature(
  context: WorkerContext,
  { seller, history, check }: BulkNeeds,
): BulkFeature {
  const { jobs, publishProgress, now } = context;
  const { access, accounts, validation, priority } = seller;
  const bulk = createBulk({
    jobs,
    access,
    accounts,
    validation,
    priority,
    history,
    check,
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
