/** How often each tab may do something. */
export interface TabLimit {
  /** Whether one more is in order now; it then counts. */
  take(tabId: number, now: number): boolean;
  /** It turned out to cost nothing: the last one does not count after all. */
  giveBack(tabId: number): void;
}

/** More tabs than this are not kept in mind: the one that was heard from first is forgotten. */
const mostTabs = 200;

/**
 * So many times in any minute for each tab. In memory alone: a tab that floods the worker keeps it from being stopped, and
 * with it this count.
 */
export function createTabLimit(perMinute: number): TabLimit {
  const times = new Map<number, number[]>();
  return {
    take(tabId, now) {
      const lately = (times.get(tabId) ?? []).filter((time) => now - time < 60_000 && time <= now);
      const may = lately.length < perMinute;
      if (may) lately.push(now);
      if (!times.has(tabId) && times.size >= mostTabs) times.delete(times.keys().next().value ?? 0);
      times.set(tabId, lately);
      return may;
    },

    giveBack(tabId) {
      times.get(tabId)?.pop();
    },
  };
}
