import * as v from 'valibot';

import type { CheckReport } from '#core/check/check-report';
import { connectionIdSchema } from '#core/connections/connection-schema';
import { checkPages } from '#messaging/senders';
import { boundedText, codeSchema, type Rules } from '#messaging/topic';

/** Longest address of a ticket, in UTF-16 units. */
const maxTicketAddress = 2048;

const request = v.strictObject({
  code: codeSchema,
  connectionId: connectionIdSchema,
  /** Skips the reply cache. */
  fresh: v.boolean(),
  /** Address of the ticket it was asked from; stored only where the agent allows it. */
  ticket: v.exactOptional(boundedText(maxTicketAddress)),
});

export type CheckRequest = v.InferOutput<typeof request>;

export const checkRules = {
  check: { from: checkPages, body: request },
} satisfies Rules;

export interface CheckReplies {
  /** Checks one code at one connection. */
  check: CheckReport;
}
