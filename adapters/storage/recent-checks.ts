import { createKeptList, type KeptList, recentChecksName } from '#adapters/storage/kept-answers';
import type { WatchedSessionArea } from '#adapters/storage/storage-area';
import type { CheckedCode } from '#core/check/index';

/** Newest first. */
export type RecentChecks = KeptList<CheckedCode>;

/** Keeps the latest checks in the browser's memory, so that a view shows them when it is opened again. */
export const createRecentChecks = (
  area: WatchedSessionArea,
  isHistoryOn: () => Promise<boolean>,
): RecentChecks => createKeptList(area, recentChecksName, isHistoryOn);
