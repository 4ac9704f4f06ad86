import type { SessionArea, WatchedSessionArea } from '#adapters/storage/storage-area';

/** The latest answers as a key of the session cache, so that a lock removes them with all others. */
export const recentChecksName = 'cache:["recent-checks"]';
/** The cards of tickets as such a key too. */
export const ticketCardsName = 'cache:["ticket-cards"]';
const names = [recentChecksName, ticketCardsName];

/** Removes the answers that pages keep in the browser's memory. Pages that watch them forget theirs. */
export async function forgetKeptAnswers(area: SessionArea): Promise<void> {
  for (const name of names) await area.remove(name);
}

/** Calls back when they were removed: the keys were locked, a connection was deleted, or the history erased. */
export function watchKeptAnswers(area: WatchedSessionArea, removed: () => void): void {
  area.onChanged.addListener((changes) => {
    if (names.some((name) => name in changes && changes[name]?.newValue === undefined)) removed();
  });
}
