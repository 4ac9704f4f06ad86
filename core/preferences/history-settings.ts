import type { Restore } from '#core/storage/index';
import { dayMs } from '#core/time/index';
import * as v from 'valibot';

/** What the history stores, and for how long. */
export interface HistorySettings {
  /** How many days an answer is stored; 0 stores none. */
  readonly days: number;
  readonly codes: 'masked' | 'whole';
  /** For how many days a masked code can still be checked again; until then it is stored encrypted, like API keys. */
  readonly wholeDays: number;
  /** Whether the ticket's address and a note may be stored. */
  readonly tickets: boolean;
  /** Whether deleting a connection also deletes its entries. */
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
  // A policy may omit it: then masked codes are not stored at all.
  wholeDays: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxHistoryDays)),
    0,
  ),
  tickets: v.boolean(),
  goesWithConnection: v.boolean(),
});

/**
 * Reads stored settings member by member. An unreadable member gets its default, except that unreadable days become the
 * maximum, so that no entry is lost. `undefined` gives the defaults.
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

/** The part of `HistoryPort` that applies the settings. `before`: epoch milliseconds. */
interface LimitableHistory {
  erase(): Promise<Restore | undefined>;
  prune(before: number): Promise<Restore | undefined>;
  mask(before: number): Promise<void>;
}

/**
 * Removes the entries that the settings no longer allow, and masks the codes of the others. Returns a function that
 * restores the entries.
 * @param now epoch milliseconds
 */
export async function limitHistory(
  history: LimitableHistory,
  { days, wholeDays }: Pick<HistorySettings, 'days' | 'wholeDays'>,
  now: number,
): Promise<Restore | undefined> {
  // A restored entry is masked as well.
  await history.mask(now - wholeDays * dayMs);
  return days === 0 ? history.erase() : history.prune(now - days * dayMs);
}
