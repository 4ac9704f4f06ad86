import { browser } from 'wxt/browser';

import type { NewerVersion } from '#adapters/storage/stored-setting';
import type { Result } from '#core/result';
import { popupPageOf } from '#core/popup-page';

/** Stores the preferences in extension storage, shared by all pages. Nothing in them is secret. */
export function createPreferenceStore(): {
  read: () => Promise<unknown>;
  change: (changes: object) => Promise<Result<void, NewerVersion>>;
  watch: (changed: (preferences: unknown) => void) => void;
} {
  const { local } = browser.storage;
  // Loaded beside the page: the popup's field takes text without it.
  const module = import('#adapters/storage/preference-setting');
  return {
    read: async () => {
      const { createPreferenceSetting } = await module;
      const stored = await createPreferenceSetting(local).read();
      // A policy sets it from the worker, which has no `localStorage`.
      if (stored?.['language'] !== undefined) mirror('language', stored['language']);
      return stored;
    },
    change: async (changes) => {
      const { changePreferences } = await module;
      const written = await changePreferences(local, changes);
      const { theme, language } = changes as Record<string, unknown>;
      if (written.ok && language !== undefined) mirror('language', language);
      if (written.ok && theme !== undefined) {
        mirror('theme', theme);
        await browser.action.setPopup({ popup: popupPageOf(theme) });
      }
      return written;
    },
    watch: (changed) => {
      void module.then(({ preferencesKey }) => {
        local.onChanged.addListener((changes) => {
          const change = changes[preferencesKey];
          if (change !== undefined) changed(change.newValue);
        });
      });
    },
  };
}

/** Keeps a preference where the next page finds it before the first paint: extension storage cannot be read at once. */
function mirror(name: 'language' | 'theme', value: unknown): void {
  localStorage.setItem(name, String(value));
}
