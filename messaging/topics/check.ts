import * as v from 'valibot';

import type { CheckReport } from '#core/check/index';
import { connectionBounds, connectionFields } from '#core/connections/index';
import { ItemId } from '#core/marketplaces/index';
import type { Result } from '#core/result';
import { checkPages, deskPage, boundedText, codeSchema, type Rules } from '#messaging/topic';

/** Longest address of a ticket, in UTF-16 units. */
const maxTicketAddress = 2048;

/** Joins what is asked about a code at several connections at once. */
const question = v.strictObject({
  id: boundedText(64),
  /** The ids of all connections that are asked. */
  asked: v.pipe(v.array(connectionFields.id), v.maxLength(connectionBounds.connections)),
});

const request = v.strictObject({
  code: codeSchema,
  connectionId: connectionFields.id,
  /** Skips the reply cache. */
  fresh: v.boolean(),
  /** The item that the code should be for. */
  expectedItemId: v.exactOptional(ItemId.schema),
  /** A search among a seller's items is answered in steps, each with the fault that says how far it is. */
  withProgress: v.exactOptional(v.boolean()),
  /** Absent where this connection alone is asked. */
  question: v.exactOptional(question),
  /** Address of the ticket it was asked from; stored only where the agent allows it. */
  ticket: v.exactOptional(boundedText(maxTicketAddress)),
});

export const checkRules = {
  check: { from: checkPages, body: request },
  'history.again': {
    from: deskPage,
    body: v.strictObject({
      id: v.pipe(v.number(), v.safeInteger()),
      ticket: v.exactOptional(boundedText(maxTicketAddress)),
    }),
  },
} satisfies Rules;

export interface CheckReplies {
  /** Checks one code at one connection. */
  check: CheckReport;
  /** Checks the code of an entry of the history again, past the cache, wherever that can change its verdict. Returns the best answer. */
  'history.again': Result<CheckReport, AgainFault>;
}

/** Tells why a code was not checked again: the keys are locked, it is masked for good, or its entry is gone. */
export type AgainFault =
  | { readonly kind: 'locked' }
  | { readonly kind: 'masked' }
  | { readonly kind: 'gone' };
