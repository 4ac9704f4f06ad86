import type { SessionArea, WatchedSessionArea } from '#adapters/storage/storage-area';

/** Text to be passed to one view. It is only in memory, and never in an address. */
export interface PendingText {
  readonly text: string;
  /** The connections to ask; absent if the agent's choice counts. */
  readonly connectionIds?: readonly string[];
  /** Address of the ticket that it comes from, if known; next to another ticket it is not used. */
  readonly ticket?: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly target: TextTarget;
}

/** The receiver: a window, whose side panel or popup takes the text, or a tab with the panel's page. */
export type TextTarget = { readonly windowId: number } | { readonly tabId: number };

export interface PendingTexts {
  put(pendingText: PendingText): Promise<void>;
  /** Removes and returns what was left for this view within the last minute. */
  take(here: TextTarget, now: number): Promise<PendingText | undefined>;
  /** Calls back when something was left for any view. */
  watch(left: () => void): void;
}

const textName = 'pendingText';
const textLifetimeMs = 60_000;
/** One more UTF-16 unit than the check's field accepts, so that longer text is recognised. */
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
      // Only the worker writes this value, in exactly this form.
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
 * Passes a license from a page of the extension to the verifier; not in an address, which would stay in the browser's
 * history.
 */
export interface LicenseHandoff {
  /** @param now epoch milliseconds */
  put(text: string, now: number): Promise<void>;
  /** Returns what was left in the last ten minutes, without removing it. */
  peek(now: number): Promise<string | undefined>;
  drop(): Promise<void>;
}

const handoffLifetimeMs = 10 * 60 * 1000;

/** Creates the handoff in the area that is cleared when the browser closes. */
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

/** Opens the handoffs of texts between views, in the area that is cleared when the browser closes. */
export function openHandoffs(area: WatchedSessionArea): {
  readonly texts: PendingTexts;
  readonly license: LicenseHandoff;
} {
  return { texts: createPendingTexts(area), license: createLicenseHandoff(area) };
}

/** Stores the text that waits for a first connection; not in an address, which would stay in the browser's history. */
export interface WaitingText {
  /** @param now epoch milliseconds */
  put(text: string, now: number): Promise<void>;
  /** Returns what was left in the last ten minutes, and removes it. */
  take(now: number): Promise<string | undefined>;
}

/** Creates it in the area that is cleared when the browser closes. */
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
