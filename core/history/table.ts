import { itemNameOf, rowStandings, standingOf } from '#core/bulk/table';
import type { HistoryEntry } from '#core/history/entry';
import { succeed } from '#core/result';
import { type Sort, sortRows } from '#core/sort';

/** Names the columns that the history can be sorted by. */
export type HistorySortKey = 'verdict' | 'code' | 'item' | 'connection' | 'when';

/** Returns the history's entries sorted, each judged at the moment it was checked. Without a sort the order stays. */
export function arrangeHistory(
  entries: readonly HistoryEntry[],
  sort: Sort<HistorySortKey> | undefined,
): HistoryEntry[] {
  return sortRows(entries, sort, (entry, key) => {
    const outcome = succeed(entry.answer);
    switch (key) {
      case 'verdict':
        return rowStandings.indexOf(standingOf(outcome, entry.checkedAt));
      case 'code':
        return entry.code.toLowerCase();
      case 'item':
        return itemNameOf(outcome).toLowerCase();
      case 'connection':
        return entry.connectionName.toLowerCase();
      case 'when':
        return entry.checkedAt;
    }
  });
}
