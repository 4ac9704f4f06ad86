import { browser } from 'wxt/browser';

/** The names of what the worker stores about the team, in `storage.local` and `storage.session`. */
const watched = ['team', 'team-join'];

/** Calls back when the worker has stored something about the team; returns how to stop that. */
export function watchTeam(changed: () => void): () => void {
  const listener = (changes: Readonly<Record<string, unknown>>): void => {
    if (watched.some((name) => name in changes)) changed();
  };
  browser.storage.onChanged.addListener(listener);
  return () => {
    browser.storage.onChanged.removeListener(listener);
  };
}
