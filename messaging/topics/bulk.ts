import type { Result } from '#core/result';
import type { Fault } from '#core/seller/fault';
import type { StorageFull } from '#core/storage-full';
import type { NoBody, Topic } from '#messaging/topic';

export interface BulkProtocol {
  /**
   * Works on running jobs for some seconds. `nextRunAt` (epoch ms) says when to send it again; it is absent when
   * nothing is left to do.
   */
  'bulk.drive': Topic<NoBody, { nextRunAt?: number }>;
  'bulk.set': Topic<{ jobId: string; to: 'running' | 'paused' | 'cancelled' }, null>;
  /** Runs the failed rows again, and no other. */
  'bulk.retry': Topic<{ jobId: string }, null>;
  /** Continues without the connection that paused the job. */
  'bulk.skip': Topic<{ jobId: string; connectionId: string }, null>;
  /** Asks again about one row, past the cache, and stores its answer. A fault never replaces an answer. */
  'bulk.refresh': Topic<{ jobId: string; index: number }, Result<null, Fault | StorageFull>>;
  /** Deletes a job. `undoUntil` (epoch ms) says until when `bulk.restore` brings it back. */
  'bulk.remove': Topic<{ jobId: string }, { undoUntil: number }>;
  'bulk.restore': Topic<{ jobId: string }, Result<null, RestoreFault>>;
}

/** Tells why a deleted job was not brought back: it is gone for good, or the disk is full. */
export type RestoreFault = { readonly kind: 'no-job' } | StorageFull;
