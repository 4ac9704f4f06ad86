/** Limits how often each tab may do something. */
export interface TabLimit {
  /** Counts one more, unless the tab is over its limit; returns whether it counted. */
  take(tabId: number, now: number): boolean;
  /** Takes the last one back, when it turned out to cost nothing. */
  giveBack(tabId: number): void;
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
    take(tabId, now) {
      const lately = (times.get(tabId) ?? []).filter((time) => now - time < 60_000 && time <= now);
      const may = lately.length < perMinute;
      if (may) lately.push(now);
      if (!times.has(tabId) && times.size >= maxTabs) times.delete(times.keys().next().value ?? 0);
      times.set(tabId, lately);
      return may;
    },

    giveBack(tabId) {
      times.get(tabId)?.pop();
    },
  };
}
