import type { HistoryPort } from '#core/history/index';
import type { HistorySettings } from '#core/preferences/history-settings';
import type { Restore } from '#core/storage/storage-full';
import { dayMs } from '#core/time/units';

/**
 * Removes the entries that the settings do not allow any more, and masks the codes of the others. Returns what brings them back.
 * @param now epoch milliseconds
 */
export async function limitHistory(
  history: Pick<HistoryPort, 'erase' | 'prune' | 'mask'>,
  { days, wholeDays }: Pick<HistorySettings, 'days' | 'wholeDays'>,
  now: number,
): Promise<Restore | undefined> {
  // An entry that comes back is masked as well.
  await history.mask(now - wholeDays * dayMs);
  return days === 0 ? history.erase() : history.prune(now - days * dayMs);
}
