import { createKeptList, type KeptList, recentChecksName } from '#adapters/storage/kept-answers';
import type { WatchedSessionArea } from '#adapters/storage/storage-area';
import type { CheckedCode } from '#core/check/index';

/** The latest first. */
export type RecentChecks = KeptList<CheckedCode>;

/** Keeps what was last checked in the browser's memory, so that a view that is opened again shows it. */
export const createRecentChecks = (
  area: WatchedSessionArea,
  isHistoryOn: () => Promise<boolean>,
): RecentChecks => createKeptList(area, recentChecksName, isHistoryOn);
