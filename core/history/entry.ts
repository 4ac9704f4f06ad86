import * as v from 'valibot';

import type { DatedAnswer } from '#core/history/changes';

/** One stored answer about one code. */
export interface HistoryEntry extends DatedAnswer {
  readonly id: number;
  /** A keyed digest of the code; its key cannot leave this browser. */
  readonly codeId: string;
  /** Tells the same spelling again, likewise a keyed digest; absent in entries stored before there was one. */
  readonly spellingId?: string;
  /** Masked, or whole where the agent's settings said so when it was checked. */
  readonly code: string;
  readonly connectionId: string;
  /** The connection's name when it was checked: it may be deleted now. */
  readonly connectionName: string;
  readonly by: 'agent' | 'bulk';
  /** Address of the ticket, where the agent allows it to be stored. */
  readonly ticket?: string;
  readonly note?: string;
}

/** The last answer about a code before the present check. */
export interface EarlierCheck extends DatedAnswer {
  /** Whether the very spelling was answered then that is answered now. */
  readonly sameSpelling: boolean;
  /** Addresses of other tickets with this code, the latest first. */
  readonly tickets: readonly string[];
}

export interface HistorySettings {
  /** How many days an answer is stored; 0 stores none. */
  readonly days: number;
  readonly codes: 'masked' | 'whole';
  /** Whether the ticket's address and a note may be stored. */
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
export const maxHistoryDays = 3650;

const schema = v.object({
  days: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxHistoryDays)),
  codes: v.picklist(['masked', 'whole']),
  tickets: v.boolean(),
  goesWithConnection: v.boolean(),
});

/** Reads stored settings; what cannot be read becomes the defaults. */
export function readHistorySettings(stored: unknown): HistorySettings {
  const read = v.safeParse(schema, stored);
  return read.success ? read.output : defaultHistorySettings;
}
