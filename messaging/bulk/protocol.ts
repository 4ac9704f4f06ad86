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
  'bulk.remove': Topic<{ jobId: string }, null>;
}
