import type { Restore } from '#core/storage/index';
import { dayMs } from '#core/time/index';
import * as v from 'valibot';

/** The content of the history, and for how long it is stored. */
export interface HistorySettings {
  /** How many days an answer is stored; 0 stores none. */
  readonly days: number;
  readonly codes: 'masked' | 'whole';
  /** How many days a masked code can still be checked again: it is kept encrypted as API keys are. */
  readonly wholeDays: number;
  /** Whether the ticket's address and a note may be stored. */
  readonly tickets: boolean;
  /** Whether deleting a connection deletes its entries. */
  readonly goesWithConnection: boolean;
}

export const defaultHistorySettings: HistorySettings = {
  days: 30,
  codes: 'masked',
  wholeDays: 7,
  tickets: false,
  goesWithConnection: true,
};

export const maxHistoryDays = 3650;

export const historySettingsSchema = v.object({
  days: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxHistoryDays)),
  codes: v.picklist(['masked', 'whole']),
  // A policy may say nothing of it: then a masked code is kept nowhere.
  wholeDays: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxHistoryDays)),
    0,
  ),
  tickets: v.boolean(),
  goesWithConnection: v.boolean(),
});

/**
 * Reads stored settings member by member: one that cannot be read gets its default, and never costs an entry, so days
 * that cannot be read become the most there can be. `undefined` is the defaults.
 */
export function readHistorySettings(stored: unknown): HistorySettings {
  if (stored === undefined) return defaultHistorySettings;
  const { days, codes, wholeDays, tickets, goesWithConnection } = historySettingsSchema.entries;
  const { codes: defaultCodes, tickets: defaultTickets } = defaultHistorySettings;
  const members = v.object({
    days: v.fallback(days, maxHistoryDays),
    codes: v.fallback(codes, defaultCodes),
    wholeDays: v.fallback(wholeDays, 0),
    tickets: v.fallback(tickets, defaultTickets),
    goesWithConnection: v.fallback(goesWithConnection, false),
  });
  return v.parse(members, typeof stored === 'object' && stored !== null ? stored : {});
}

/** The part of `HistoryPort` that settings can limit. `before`: epoch milliseconds. */
interface LimitableHistory {
  erase(): Promise<Restore | undefined>;
  prune(before: number): Promise<Restore | undefined>;
  mask(before: number): Promise<void>;
}

/**
 * Removes the entries that the settings do not allow any more, and masks the codes of the others. Returns what brings
 * them back.
 * @param now epoch milliseconds
 */
export async function limitHistory(
  history: LimitableHistory,
  { days, wholeDays }: Pick<HistorySettings, 'days' | 'wholeDays'>,
  now: number,
): Promise<Restore | undefined> {
  // An entry that comes back is masked as well.
  await history.mask(now - wholeDays * dayMs);
  return days === 0 ? history.erase() : history.prune(now - days * dayMs);
}
