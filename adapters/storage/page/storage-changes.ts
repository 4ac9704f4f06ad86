import { browser } from 'wxt/browser';

import { listen } from '#adapters/browser/announcements';
import { policyKey } from '#adapters/storage/policy-store';
import { isOfKind } from '#adapters/storage/session-cache';
import type { ListName } from '#core/storage/index';

/** Calls back when something has changed; returns a function that stops this. */
type Watch = (changed: () => void) => () => void;

/** @param isWatched tells whether a change counts, by its key and its area: `local`, `session` or `managed` */
function watchStorage(isWatched: (key: string, area: string) => boolean): Watch {
  return (changed) => {
    const listener = (changes: Readonly<Record<string, unknown>>, area: string): void => {
      if (Object.keys(changes).some((key) => isWatched(key, area))) changed();
    };
    browser.storage.onChanged.addListener(listener);
    return () => {
      browser.storage.onChanged.removeListener(listener);
    };
  };
}

function watchHistory(changed: () => void): () => void {
  const tell = (): void => {
    if (!document.hidden) changed();
  };
  const stop = listen('history', tell);
  document.addEventListener('visibilitychange', tell);
  return () => {
    stop();
    document.removeEventListener('visibilitychange', tell);
  };
}

const isReply = isOfKind(['reply']);

export const watchStored = {
  /** The lists of connections, license servers, sites and pinned keys, each written as a whole. */
  lists: (changed: (list: ListName) => void) => listen('lists', changed),
  /** The browser's policy, and the worker's record of what it has applied. */
  policy: watchStorage(
    (key, area) => area === 'managed' || (area === 'local' && key === policyKey),
  ),
  /**
   * Answers recorded in the history. Since other changes of the history are not announced, it also calls back each time
   * the page comes to the front. It does not call back while the page is hidden.
   */
  history: watchHistory,
  team: watchStorage((key) => key === 'team' || key === 'team-join'),
  /** Answers about codes to any page. */
  answers: watchStorage((key, area) => area === 'session' && isReply(key)),
} as const;
