import * as v from 'valibot';

import { expectedItemSchema, siteOriginSchema as origin } from '#core/ticket/site-schema';
import { codeSchema, noBody } from '#messaging/body-schemas';
import type { RulesOf } from '#messaging/rule';
import { optionsPage, ticketPages } from '#messaging/senders';
import type { TicketProtocol } from '#messaging/topics/ticket';

export const ticketRules: RulesOf<TicketProtocol> = {
  'sites.list': { from: ticketPages, body: noBody },
  'sites.allow': { from: ticketPages, body: v.strictObject({ origin }) },
  'sites.remove': { from: ticketPages, body: v.strictObject({ origin }) },
  'sites.set-automatic': { from: ticketPages, body: v.strictObject({ origin, on: v.boolean() }) },
  'sites.set-expected-item': {
    from: optionsPage,
    body: v.strictObject({ origin, item: v.nullable(expectedItemSchema) }),
  },

  // The only topics that a script in a web page may send; no page of ours sends them.
  'ticket.start': { from: ['ticket-script'], body: noBody },
  'ticket.open': { from: ['ticket-script'], body: v.strictObject({ code: codeSchema }) },
  'ticket.check': { from: ['ticket-script'], body: v.strictObject({ code: codeSchema }) },
};
