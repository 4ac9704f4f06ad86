import type { SessionArea, WatchedSessionArea } from '#adapters/storage/storage-area';

/** Holds text on its way to the one view that is to show it. It lies in memory, and never in an address. */
export interface PendingText {
  readonly text: string;
  /** The connections to ask; absent where the agent's choice counts. */
  readonly connectionIds?: readonly string[];
  /** Address of the ticket that it comes from, where that is known: beside another ticket it is not used. */
  readonly ticket?: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly target: TextTarget;
}

/** Identifies a window, where its side panel or popup takes the text; or a tab with the panel's page in it. */
export type TextTarget = { readonly windowId: number } | { readonly tabId: number };

export interface PendingTexts {
  put(pendingText: PendingText): Promise<void>;
  /** Returns what was left here within the last minute, and removes it. */
  take(here: TextTarget, now: number): Promise<PendingText | undefined>;
  /** Calls back when something was left, for anybody. */
  watch(left: () => void): void;
}

const textName = 'pendingText';
const textLifetimeMs = 60_000;
/** The check's field reads one UTF-16 unit less, so it can tell that a text was longer. */
const maxTextLength = 1024 * 1024 + 1;

export function createPendingTexts(area: WatchedSessionArea): PendingTexts {
  return {
    put: (pendingText) =>
      area.set({
        [textName]: {
          ...pendingText,
          text: pendingText.text.slice(0, maxTextLength),
        } satisfies PendingText,
      }),

    async take(here, now) {
      // Only the worker leaves anything here, in this very form.
      const left = (await area.get(textName))[textName] as PendingText | undefined;
      if (left === undefined || !isSame(left.target, here)) return undefined;
      await area.remove(textName);
      return now - left.at < textLifetimeMs ? left : undefined;
    },

    watch(left) {
      area.onChanged.addListener((changes) => {
        if (changes[textName]?.newValue !== undefined) left();
      });
    },
  };
}

function isSame(one: TextTarget, other: TextTarget): boolean {
  if ('tabId' in one) return 'tabId' in other && one.tabId === other.tabId;
  return 'windowId' in other && one.windowId === other.windowId;
}

/**
 * Hands a license from a page of the extension to the verifier; never by an address, which would stay in the history.
 */
export interface LicenseHandoff {
  /** @param now epoch milliseconds */
  put(text: string, now: number): Promise<void>;
  /** Returns what was left in the last ten minutes, and leaves it where it is. */
  peek(now: number): Promise<string | undefined>;
  drop(): Promise<void>;
}

const handoffLifetimeMs = 10 * 60 * 1000;

/** Creates the handoff on the area that ends with the browser. */
export function createLicenseHandoff(area: SessionArea): LicenseHandoff {
  return createHandoff(area, 'handoff.license');
}

function createHandoff(area: SessionArea, name: string): LicenseHandoff {
  return {
    put: (text, now) => area.set({ [name]: { text: text.slice(0, maxTextLength), at: now } }),
    async peek(now) {
      const left = (await area.get(name))[name];
      if (typeof left !== 'object' || left === null) return undefined;
      const { text, at } = left as { text?: unknown; at?: unknown };
      const isFresh = typeof at === 'number' && now - at < handoffLifetimeMs;
      if (typeof text === 'string' && isFresh) return text;
      await area.remove(name);
      return undefined;
    },
    drop: () => area.remove(name),
  };
}

/** Opens what leaves texts for another view, on the area that ends with the browser. */
export function openHandoffs(area: WatchedSessionArea): {
  readonly texts: PendingTexts;
  readonly license: LicenseHandoff;
} {
  return { texts: createPendingTexts(area), license: createLicenseHandoff(area) };
}

/** Keeps the text that waits for a first connection; never by an address, which would stay in the history. */
export interface WaitingText {
  /** @param now epoch milliseconds */
  put(text: string, now: number): Promise<void>;
  /** Returns what was left in the last ten minutes, and removes it. */
  take(now: number): Promise<string | undefined>;
}

/** Creates it on the area that ends with the browser. */
export function createWaitingText(area: SessionArea): WaitingText {
  const handoff = createHandoff(area, 'handoff.waiting');
  return {
    put: (text, now) => handoff.put(text, now),
    async take(now) {
      const text = await handoff.peek(now);
      if (text !== undefined) await handoff.drop();
      return text;
    },
  };
}
