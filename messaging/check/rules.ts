import * as v from 'valibot';

import { connectionIdSchema } from '#core/connections/connection-schema';
import { boundedText, codeSchema } from '#messaging/body-schemas';
import type { CheckProtocol } from '#messaging/topics/check';
import type { RulesOf } from '#messaging/rule';
import { checkPages } from '#messaging/senders';

/** Longest address of a ticket, in UTF-16 units. */
const maxTicketAddress = 2048;

export const checkRules: RulesOf<CheckProtocol> = {
  check: {
    from: checkPages,
    body: v.strictObject({
      code: codeSchema,
      connectionId: connectionIdSchema,
      fresh: v.boolean(),
      ticket: v.exactOptional(boundedText(maxTicketAddress)),
    }),
  },
};
