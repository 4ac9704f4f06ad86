import * as v from 'valibot';

import type { QuarantineSource } from '#core/quarantine';
import { optionsPage } from '#messaging/senders';
import { noBody, type Rules } from '#messaging/topic';

const byId = v.strictObject({ id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) });

export const quarantineRules = {
  'quarantine.list': { from: optionsPage, body: noBody },
  'quarantine.copy': { from: optionsPage, body: byId },
  'quarantine.remove': { from: optionsPage, body: byId },
} satisfies Rules;

/** Lists what the worker replies to the topics about stored records that this version of the program cannot read. */
export interface QuarantineReplies {
  'quarantine.list': QuarantineReport;
  /** Returns a record as JSON text, its secrets left out; `null` when it is gone. */
  'quarantine.copy': string | null;
  /** Removes a record for good. */
  'quarantine.remove': QuarantineReport;
}

export interface QuarantineReport {
  readonly records: readonly QuarantineEntry[];
  /** Whether a newer version of the program stored something that is left as it is. */
  readonly newer: boolean;
}

export interface QuarantineEntry {
  readonly id: number;
  /** What it was stored as. */
  readonly source: QuarantineSource;
  /** When it was set aside, epoch milliseconds. */
  readonly at: number;
  /** The first member that cannot be read, dotted; `$` is the whole record. */
  readonly path: string;
  /** The name in the record, where there is one to be read. */
  readonly name?: string;
}
