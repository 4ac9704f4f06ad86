/** All that a chip shows: what it looks like, and its words. */
export interface Chip {
  readonly tone: ChipTone;
  /** An SVG path of strokes, in a square of 12. */
  readonly icon: string;
  /** Two words at most, in the agent's language. */
  readonly words: string;
}

export type ChipTone = 'plain' | 'good' | 'warn' | 'note' | 'bad';

/** What the worker lets the ticket script do in one document. */
export interface TicketScriptSettings {
  /** Codes in view are to be checked without a click. */
  readonly automatic: boolean;
  /** The connections' own forms of codes. */
  readonly patterns: readonly string[];
  /** A selector of what holds no ticket text on any site. */
  readonly never: string;
  /** A selector of elements that stand within a line. */
  readonly withinLines: string;
  /** Where ticket text may stand, the likeliest first. */
  readonly notes: readonly TicketNote[];
  /** What a chip shows that nothing is known about. */
  readonly blank: Chip;
  readonly busy: Chip;
  /** The style sheet of all chips, with a class for each tone. */
  readonly style: string;
  /** CSS pixels, the same for every chip. */
  readonly size: { readonly width: number; readonly height: number };
}

export interface TicketNote {
  readonly known?: string;
  readonly messages: string;
  readonly composer?: string;
}

/** What the worker tells the ticket scripts by itself. */
export type TicketUpdate =
  /** The site is no longer allowed, or its setting changed: take the chips away; `start` says who may come back. */
  | { readonly ticket: 'ended' }
  /** A verdict on a code that this tab has opened. */
  | { readonly ticket: 'checked'; readonly code: string; readonly chip: Chip };
