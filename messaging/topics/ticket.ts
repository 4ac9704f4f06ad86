import type { ExpectedItem } from '#core/check/check-report';
import type { SetByPolicy } from '#core/policy/policy';
import type { Result } from '#core/result';
import type { Site } from '#core/ticket/site';
import type { NoBody, Topic } from '#messaging/topic';

export interface TicketProtocol {
  /** Lists the help desks in whose pages verdicts are shown. */
  'sites.list': Topic<NoBody, SiteState[]>;
  /** Sent beside the browser's permission prompt, in either order: the script runs once both are granted. */
  'sites.allow': Topic<{ origin: string }, Result<SiteState[], SiteFault>>;
  /** Also gives the browser's permission for the origin back, unless something else uses it. */
  'sites.remove': Topic<{ origin: string }, Result<SiteState[], SiteFault>>;
  'sites.set-automatic': Topic<{ origin: string; on: boolean }, Result<SiteState[], SiteFault>>;
  /** `null`: codes may be for any item. */
  'sites.set-expected-item': Topic<
    { origin: string; item: ExpectedItem | null },
    Result<SiteState[], SiteFault>
  >;

  /** Asks whether the ticket script may run in its document (`null`: no), and injects its second stage. */
  'ticket.start': Topic<NoBody, TicketScriptSettings | null>;
  /** Shows the code of a clicked chip in the side panel, or wherever the browser allows. */
  'ticket.open': Topic<{ code: string }, null>;
  /** Checks a code without a click; `null` where the site is not automatic, or the tab is over its limit. */
  'ticket.check': Topic<{ code: string }, Chip | null>;
}

/** Tells why a site was not changed. */
export type SiteFault = { readonly kind: 'storage-full' } | SetByPolicy;

export interface SiteState extends Site {
  /** Whether the browser allows the script to run there. */
  readonly permitted: boolean;
}

/** Holds all that a chip shows: its look and its label. */
export interface Chip {
  readonly tone: ChipTone;
  /** An SVG path of strokes, in a square of 12. */
  readonly icon: string;
  /** At most two words, in the agent's language. */
  readonly label: string;
  /** Whether it shows an answer; a chip without one never replaces it. */
  readonly answered: boolean;
}

export type ChipTone = 'plain' | 'good' | 'warn' | 'note' | 'bad';

/** Holds the settings under which the ticket script runs in one document. */
export interface TicketScriptSettings {
  /** Codes in view are checked without a click. */
  readonly automatic: boolean;
  /** The code patterns of the connections. */
  readonly patterns: readonly string[];
  /** A selector of elements that hold no ticket text on any site. */
  readonly never: string;
  /** Where ticket text may be, the likeliest first. */
  readonly notes: readonly TicketNote[];
  /** The chip of a code that was not checked yet. */
  readonly blank: Chip;
  readonly busy: Chip;
  /** The style sheet of all chips, with a class for each tone. */
  readonly style: string;
  /** CSS pixels, the same for every verdict. `icon` is the width and height of a chip that shows its words when opened. */
  readonly size: { readonly width: number; readonly height: number; readonly icon: number };
}

export interface TicketNote {
  readonly known?: string;
  readonly messages: string;
  readonly composer?: string;
  readonly leftAlone?: string;
}

/** Describes what the worker sends to the ticket scripts unasked. */
export type TicketUpdate =
  /** The site was removed, or its setting changed: remove the chips; `ticket.start` says who may come back. */
  | { readonly ticket: 'ended' }
  /** A verdict on a code that this document has asked about. */
  | { readonly ticket: 'checked'; readonly code: string; readonly chip: Chip };
