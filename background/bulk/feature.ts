import { createBulk } from '#background/bulk/bulk';
import type { History } from '#background/check/history';
import type { WorkerContext } from '#background/dependencies';
import type { SellerFeature } from '#background/seller/feature';
import type { BulkProtocol } from '#messaging/bulk/protocol';
import type { HandlersOf } from '#messaging/serve';

interface BulkNeeds {
  readonly seller: SellerFeature;
  readonly history: History;
}

export interface BulkFeature {
  readonly handlers: HandlersOf<BulkProtocol>;
  readonly alarmHandlers: { readonly bulk: () => Promise<void> };
  readonly start: () => Promise<void>;
}

export function createBulkFeature(
  context: WorkerContext,
  { seller, history }: BulkNeeds,
): BulkFeature {
  const { jobs, publishProgress, now } = context;
  const { access, accounts, validation, priority } = seller;
  const bulk = createBulk({
    ...{ jobs, access, accounts, validation, priority, history, publishProgress, now },
    tryWithLock: (task) => context.tryWithLock('counterfoil-bulk', task),
    scheduleAlarm: (moment) => context.scheduleAlarm('bulk', moment),
  });
  const drive = async (): Promise<void> => {
    await bulk.drive();
  };
  /** The reply of a topic that reports nothing. */
  const done = (): null => null;

  return {
    handlers: {
      'bulk.drive': () => bulk.drive(),
      'bulk.set': ({ jobId, to }) => bulk.set(jobId, to).then(done),
      'bulk.retry': ({ jobId }) => bulk.retryFailed(jobId).then(done),
      'bulk.skip': ({ jobId, connectionId }) => bulk.skipConnection(jobId, connectionId).then(done),
      'bulk.remove': ({ jobId }) => bulk.remove(jobId).then(done),
    },
    alarmHandlers: { bulk: drive },
    start: drive,
  };
}
