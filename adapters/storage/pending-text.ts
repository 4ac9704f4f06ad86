/** Text on its way to the one view that is to show it. It lies in memory, and never in an address. */
export interface Arrival {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly place: Place;
}

/** A window, where its side panel or popup takes it; or a tab with the panel's page in it. */
export type Place = { readonly windowId: number } | { readonly tabId: number };

/** The browser's `storage.session`, as far as it is used here. */
interface SessionArea {
  get(name: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(name: string): Promise<void>;
  readonly onChanged: {
    addListener(listener: (changes: Record<string, { newValue?: unknown }>) => void): void;
  };
}

export interface Arrivals {
  leave(arrival: Arrival): Promise<void>;
  /** What was left here within the last minute, once. */
  take(here: Place, now: number): Promise<string | undefined>;
  /** Calls back when something was left, for anybody. */
  watch(left: () => void): void;
}

const name = 'arrival';
const lifetime = 60_000;
/** As much as the field of the check reads, and one more, so that longer text is told from text of that length. */
const longest = 1024 * 1024 + 1;

export function createArrivals(area: SessionArea): Arrivals {
  return {
    leave: (arrival) =>
      area.set({ [name]: { ...arrival, text: arrival.text.slice(0, longest) } satisfies Arrival }),

    async take(here, now) {
      // Only the worker leaves anything here, in this very form.
      const left = (await area.get(name))[name] as Arrival | undefined;
      if (left === undefined || !isSame(left.place, here)) return undefined;
      await area.remove(name);
      return now - left.at < lifetime ? left.text : undefined;
    },

    watch(left) {
      area.onChanged.addListener((changes) => {
        if (changes[name]?.newValue !== undefined) left();
      });
    },
  };
}

function isSame(one: Place, other: Place): boolean {
  if ('tabId' in one) return 'tabId' in other && one.tabId === other.tabId;
  return 'windowId' in other && one.windowId === other.windowId;
}
