/** Limits how often each tab may do something, all its frames together. */
export interface TabLimit {
  /** Adds points, unless the tab would exceed its limit; returns whether they were added. */
  take(tabId: number, now: number, points?: number): boolean;
  /** Subtracts points for requests that turned out to cost nothing. */
  giveBack(tabId: number, points: number): void;
}

/** How many tabs are remembered; the oldest is removed first. */
const maxTabs = 200;

/**
 * Creates a limit per tab over any 60 seconds. It is only in memory: a tab that floods the worker thereby keeps the
 * worker, and this count, alive.
 */
export function createTabLimit(perMinute: number): TabLimit {
  const times = new Map<number, number[]>();
  return {
    take(tabId, now, points = 1) {
      const lately = (times.get(tabId) ?? []).filter((time) => now - time < 60_000 && time <= now);
      const may = lately.length + points <= perMinute;
      if (may) lately.push(...Array<number>(points).fill(now));
      if (!times.has(tabId) && times.size >= maxTabs) times.delete(times.keys().next().value ?? 0);
      times.set(tabId, lately);
      return may;
    },

    giveBack(tabId, points) {
      if (points > 0) times.get(tabId)?.splice(-points);
    },
  };
}
