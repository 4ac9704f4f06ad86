import { browser } from 'wxt/browser';

import { policyKey } from '#adapters/storage/policy-store';
import { isOfKind } from '#adapters/storage/session-cache';

/** Calls back when something has changed; returns how to stop that. */
type Watch = (changed: () => void) => () => void;

/** @param isWatched tells it by the key, and by the area: `local`, `session` or `managed` */
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

/** Watches the browser's policy, and what the worker has applied of it. */
export const watchPolicy = watchStorage(
  (key, area) => area === 'managed' || (area === 'local' && key === policyKey),
);

/** Watches what the worker stores about the team, in `storage.local` and `storage.session`. */
export const watchTeam = watchStorage((key) => key === 'team' || key === 'team-join');

const isReply = isOfKind(['reply']);

/** Watches for answers about codes, whichever page asked. */
export const watchAnswers = watchStorage((key, area) => area === 'session' && isReply(key));
