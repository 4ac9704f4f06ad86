import * as v from 'valibot';

import type { CheckReport, CheckRequest } from '#core/check/index';
import { connectionBounds, connectionFields } from '#core/connections/index';
import type { Result } from '#core/result';
import {
  checkPages,
  deskPage,
  boundedText,
  codeSchema,
  noBody,
  type Rules,
} from '#messaging/topic';
import { itemIdSchema } from '#core/item-id';
import { maxTicketLengths } from '#core/ticket/index';

const ticketAddress = boundedText(maxTicketLengths.address);

const request: v.GenericSchema<unknown, CheckRequest> = v.strictObject({
  code: codeSchema,
  connectionId: connectionFields.id,
  fresh: v.boolean(),
  expectedItemId: v.exactOptional(itemIdSchema),
  withProgress: v.exactOptional(v.boolean()),
  question: v.exactOptional(
    v.strictObject({
      id: boundedText(64),
      asked: v.pipe(v.array(connectionFields.id), v.maxLength(connectionBounds.connections)),
      kept: v.pipe(
        v.array(v.strictObject({ connectionId: connectionFields.id, checkedAt: v.number() })),
        v.maxLength(connectionBounds.connections),
      ),
    }),
  ),
  ticket: v.exactOptional(ticketAddress),
});

export const checkRules = {
  // Here rather than with the other topics of connections, so that the worker's first script does not need their
  // schemas.
  'connections.list': { from: [...checkPages, 'verifier'], body: noBody },
  check: { from: checkPages, body: request },
  'history.again': {
    from: deskPage,
    body: v.strictObject({
      id: v.pipe(v.number(), v.safeInteger()),
      ticket: v.exactOptional(ticketAddress),
    }),
  },
} satisfies Rules;

export interface CheckReplies {
  check: CheckReport;
  /**
   * Checks the code of a history entry again, bypassing the cache, at the connections that can change its verdict.
   * Returns the best answer.
   */
  'history.again': Result<CheckReport, AgainFault>;
}

/** Why a code was not checked again: the keys are locked, the code is permanently masked, or its entry is gone. */
export type AgainFault =
  | { readonly kind: 'locked' }
  | { readonly kind: 'masked' }
  | { readonly kind: 'gone' };
