import * as v from 'valibot';

import type { UnreadableReport } from '#core/storage/index';
import { boundedText, optionsPage, noBody, type Rules } from '#messaging/topic';

const byId = v.strictObject({ id: boundedText(64) });

export const unreadableRules = {
  'unreadable.list': { from: optionsPage, body: noBody },
  'unreadable.copy': { from: optionsPage, body: byId },
  'unreadable.remove': { from: optionsPage, body: byId },
} satisfies Rules;

/** The worker's replies to the topics about stored records that this version of the program cannot read. */
export interface UnreadableReplies {
  'unreadable.list': UnreadableReport;
  /** Returns a record as JSON text without its secrets; `null` if it is gone. */
  'unreadable.copy': string | null;
  /** Removes a record permanently. */
  'unreadable.remove': UnreadableReport;
}
