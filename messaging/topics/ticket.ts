import * as v from 'valibot';

import type { Chip } from '#core/chips/index';
import type { SetByPolicy } from '#core/policy/index';
import type { Result } from '#core/result';
import { type Insertion, maxTicketLengths } from '#core/ticket/index';
import {
  boundedText,
  codeSchema,
  noBody,
  optionsPage,
  type Rules,
  ticketPages,
} from '#messaging/topic';
import { expectedItemSchema, type Site, siteOriginSchema } from '#core/preferences/index';
import type { StorageFull, TooMany } from '#core/storage/index';

/** The longest reply, in UTF-16 units: the longest template for all codes that a ticket may have. */
const maxReply = 524_288;
const tabId = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const origin = siteOriginSchema;
const address = boundedText(maxTicketLengths.address);
const besideTicket = ['popup', 'sidepanel'] as const;

export const sitesRules = {
  'sites.allow': { from: ticketPages, body: v.strictObject({ origin }) },
  'sites.remove': { from: ticketPages, body: v.strictObject({ origin }) },
  'sites.set-automatic': { from: ticketPages, body: v.strictObject({ origin, on: v.boolean() }) },
  'sites.set-expected-item': {
    from: optionsPage,
    body: v.strictObject({ origin, item: v.nullable(expectedItemSchema) }),
  },
  'ticket.insert': {
    from: besideTicket,
    body: v.strictObject({
      text: boundedText(maxReply),
      ticket: v.strictObject({
        tabId,
        address,
        subject: v.pipe(v.string(), v.maxLength(maxTicketLengths.subject)),
      }),
    }),
  },
  'ticket.inspect': {
    from: besideTicket,
    body: v.strictObject({ tabId, files: v.pipe(v.array(address), v.maxLength(5)) }),
  },
} satisfies Rules;

export const ticketRules = {
  'sites.list': { from: ticketPages, body: noBody },

  // The only topics that a script in a web page may send; our pages do not send them.
  'ticket.start': { from: ['ticket-script'], body: noBody },
  'ticket.finder': { from: ['ticket-script'], body: noBody },
  'ticket.open': { from: ['ticket-script'], body: v.strictObject({ code: codeSchema }) },
  'ticket.check': { from: ['ticket-script'], body: v.strictObject({ code: codeSchema }) },
} satisfies Rules;

export interface TicketReplies {
  /** Lists the help desks on whose pages verdicts are shown. */
  'sites.list': SiteState[];
  /** Sent together with the browser's permission prompt, in either order; the script runs when both are granted. */
  'sites.allow': Result<SiteState[], SiteFault>;
  /** Also gives up the browser's permission for the origin, unless something else uses it. */
  'sites.remove': Result<SiteState[], SiteFault>;
  'sites.set-automatic': Result<SiteState[], SiteFault>;
  /** Sets the expected item; `null` means that codes may be for any item. */
  'sites.set-expected-item': Result<SiteState[], SiteFault>;

  /** Puts a reply into the open reply field, only if it is that of the ticket that the reply was made for. */
  'ticket.insert': Insertion;
  /** Opens the verifier on files that the page in front links to, each on that page's own origin. */
  'ticket.inspect': null;

  /** Asks whether the ticket script may run in its document (`null` if not), and injects its second stage. */
  'ticket.start': TicketScriptSettings | null;
  /** Injects the code finder when the document may contain a code; false if that failed. */
  'ticket.finder': boolean;
  /** Shows the code of a clicked chip in the side panel, or wherever the browser allows. */
  'ticket.open': null;
  /** Checks a code without a click; `null` if the site is not automatic, or the tab is over its limit. */
  'ticket.check': Chip | null;
}

export type SiteFault = StorageFull | TooMany | SetByPolicy;

export interface SiteState extends Site {
  /** Whether the browser allows the script to run there. */
  readonly permitted: boolean;
}

export interface TicketScriptSettings {
  /** Whether codes in view are checked without a click. */
  readonly automatic: boolean;
  /** The origin of the document, as vouched for by the browser; a mail's frame has no origin of its own. */
  readonly origin: string;
  readonly patterns: readonly string[];
  /** The chip of a code that has not been checked. */
  readonly blank: Chip;
  readonly busy: Chip;
}

/** Unrequested messages to the ticket scripts, from the worker or from a view beside the page. */
export type TicketUpdate =
  /**
   * The site was removed, or its setting changed. Remove the chips; `ticket.start` decides whether the script may run
   * again.
   */
  | { readonly ticket: 'ended' }
  /** A verdict on a code that this document has asked about, or that is shown beside it. */
  | { readonly ticket: 'checked'; readonly code: string; readonly chip: Chip };
