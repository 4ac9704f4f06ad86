/** Limits how often each tab may do something, whichever of its frames asks. */
export interface TabLimit {
  /** Counts so many points more, unless the tab would be over its limit; returns whether they counted. */
  take(tabId: number, now: number, points?: number): boolean;
  /** Takes points back that turned out to cost nothing. */
  giveBack(tabId: number, points: number): void;
}

/** Tabs that are remembered; the first one seen is forgotten first. */
const maxTabs = 200;

/**
 * Creates a limit over any 60 seconds for each tab. It lives in memory alone: a tab that floods the worker keeps the
 * worker, and so this count, from being stopped.
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
