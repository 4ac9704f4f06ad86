import * as v from 'valibot';

import type { DatedAnswer } from '#core/history/changes';

/** One answer about one code, as it is remembered. */
export interface HistoryEntry extends DatedAnswer {
  readonly id: number;
  /** Tells the same code again without holding it: a keyed digest, whose key cannot leave this browser. */
  readonly codeId: string;
  /** Masked, or whole where the agent chose so when it was checked. */
  readonly code: string;
  readonly connectionId: string;
  /** The connection's name then: it may be gone by now. */
  readonly connectionName: string;
  readonly by: 'agent' | 'bulk';
  /** Address of the ticket, where the agent lets it be kept. */
  readonly ticket?: string;
  readonly note?: string;
}

/** What was known of a code before the present check. */
export interface EarlierCheck extends DatedAnswer {
  /** Addresses of other tickets the code was seen in, the latest first. */
  readonly tickets: readonly string[];
}

export interface HistorySettings {
  /** How many days an answer is remembered; 0 remembers none. */
  readonly days: number;
  readonly codes: 'masked' | 'whole';
  /** Whether the ticket's address and a note may be kept. */
  readonly tickets: boolean;
  /** Deleting a connection deletes what was checked there. */
  readonly goesWithConnection: boolean;
}

export const defaultHistorySettings: HistorySettings = {
  days: 30,
  codes: 'masked',
  tickets: false,
  goesWithConnection: true,
};

/** In days. */
export const longestHistory = 3650;

const schema = v.object({
  days: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(longestHistory)),
  codes: v.picklist(['masked', 'whole']),
  tickets: v.boolean(),
  goesWithConnection: v.boolean(),
});

/** What cannot be read is as if never touched. */
export function readHistorySettings(kept: unknown): HistorySettings {
  const read = v.safeParse(schema, kept);
  return read.success ? read.output : defaultHistorySettings;
}
