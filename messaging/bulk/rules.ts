import * as v from 'valibot';

import { connectionIdSchema } from '#core/connections/connection-schema';
import { noBody } from '#messaging/body-schemas';
import type { BulkProtocol } from '#messaging/topics/bulk';
import type { RulesOf } from '#messaging/rule';
import { deskPage } from '#messaging/senders';

const jobId = v.pipe(v.string(), v.uuid());

export const bulkRules: RulesOf<BulkProtocol> = {
  'bulk.drive': { from: deskPage, body: noBody },
  'bulk.set': {
    from: deskPage,
    body: v.strictObject({ jobId, to: v.picklist(['running', 'paused', 'cancelled']) }),
  },
  'bulk.retry': { from: deskPage, body: v.strictObject({ jobId }) },
  'bulk.skip': {
    from: deskPage,
    body: v.strictObject({ jobId, connectionId: connectionIdSchema }),
  },
  'bulk.refresh': {
    from: deskPage,
    body: v.strictObject({ jobId, index: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) }),
  },
  'bulk.remove': { from: deskPage, body: v.strictObject({ jobId }) },
  'bulk.restore': { from: deskPage, body: v.strictObject({ jobId }) },
};
