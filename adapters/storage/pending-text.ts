import type { WatchedSessionArea } from '#adapters/storage/storage-area';

/** Holds text on its way to the one view that is to show it. It lies in memory, and never in an address. */
export interface PendingText {
  readonly text: string;
  /** The connections to ask; absent where the agent's choice counts. */
  readonly connectionIds?: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
  readonly place: TextTarget;
}

/** Identifies a window, where its side panel or popup takes the text; or a tab with the panel's page in it. */
export type TextTarget = { readonly windowId: number } | { readonly tabId: number };

export interface PendingTexts {
  leave(pendingText: PendingText): Promise<void>;
  /** Returns what was left here within the last minute, and removes it. */
  take(here: TextTarget, now: number): Promise<PendingText | undefined>;
  /** Calls back when something was left, for anybody. */
  watch(left: () => void): void;
}

const name = 'pendingText';
const lifetime = 60_000;
/** As much as the field of the check reads, and one more, so that longer text is told from text of that length. */
const maxLength = 1024 * 1024 + 1;

export function createPendingTexts(area: WatchedSessionArea): PendingTexts {
  return {
    leave: (pendingText) =>
      area.set({
        [name]: {
          ...pendingText,
          text: pendingText.text.slice(0, maxLength),
        } satisfies PendingText,
      }),

    async take(here, now) {
      // Only the worker leaves anything here, in this very form.
      const left = (await area.get(name))[name] as PendingText | undefined;
      if (left === undefined || !isSame(left.place, here)) return undefined;
      await area.remove(name);
      return now - left.at < lifetime ? left : undefined;
    },

    watch(left) {
      area.onChanged.addListener((changes) => {
        if (changes[name]?.newValue !== undefined) left();
      });
    },
  };
}

function isSame(one: TextTarget, other: TextTarget): boolean {
  if ('tabId' in one) return 'tabId' in other && one.tabId === other.tabId;
  return 'windowId' in other && one.windowId === other.windowId;
}
