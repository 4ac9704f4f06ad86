import * as v from 'valibot';

import { connectionBounds, connectionFields } from '#core/connections/index';
import type { Result } from '#core/result';
import type { Fault } from '#core/marketplaces/index';
import type { StorageFull } from '#core/storage/index';
import { deskPage, noBody, type Rules } from '#messaging/topic';
import { maxJobName } from '#core/jobs/index';

const jobId = v.pipe(v.string(), v.uuid());

export const bulkRules = {
  'bulk.drive': { from: deskPage, body: noBody },
  'bulk.set': {
    from: deskPage,
    body: v.strictObject({ jobId, to: v.picklist(['running', 'paused', 'cancelled']) }),
  },
  'bulk.retry': {
    from: deskPage,
    body: v.strictObject({ jobId, which: v.picklist(['failed', 'not-found']) }),
  },
  'bulk.skip': {
    from: deskPage,
    body: v.strictObject({ jobId, connectionId: connectionFields.id }),
  },
  'bulk.refresh': {
    from: deskPage,
    body: v.strictObject({
      jobId,
      indexes: v.pipe(
        v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
        v.maxLength(connectionBounds.connections),
      ),
    }),
  },
  'bulk.rename': {
    from: deskPage,
    body: v.strictObject({ jobId, name: v.pipe(v.string(), v.maxLength(maxJobName)) }),
  },
  'bulk.remove': { from: deskPage, body: v.strictObject({ jobId }) },
  'bulk.restore': { from: deskPage, body: v.strictObject({ jobId }) },
} satisfies Rules;

export interface BulkReplies {
  /**
   * Works on running jobs for some seconds. `nextRunAt` (epoch milliseconds) is when to send it again; absent if
   * nothing is left to do.
   */
  'bulk.drive': { nextRunAt?: number };
  'bulk.set': Result<null, StorageFull>;
  /** Runs failed rows again, either all or only those of codes that no connection knows. */
  'bulk.retry': Result<null, StorageFull>;
  /** Continues without the connection that paused the job. */
  'bulk.skip': Result<null, StorageFull>;
  /**
   * Checks the code of these rows again, bypassing the cache, at the connections that can change its verdict, and
   * stores the answers. A fault never replaces an answer.
   */
  'bulk.refresh': Result<null, Fault | StorageFull>;
  /** Renames a job. */
  'bulk.rename': Result<null, StorageFull>;
  /** Deletes a job. Until `undoUntil` (epoch milliseconds), `bulk.restore` can restore it. */
  'bulk.remove': { undoUntil: number };
  'bulk.restore': Result<null, RestoreFault>;
}

/** Why a deleted job was not restored: it is permanently deleted, or the disk is full. */
export type RestoreFault = { readonly kind: 'no-job' } | StorageFull;
