import { browser } from 'wxt/browser';

import { setPopupTheme } from '#adapters/browser/popup-page';
import type { NewerVersion } from '#adapters/storage/stored-setting';
import type { Result } from '#core/result';

/** Stores the preferences in extension storage, shared by all pages. Nothing in them is secret. */
export function createPreferenceStore(): {
  read: () => Promise<unknown>;
  write: (preferences: object) => Promise<Result<void, NewerVersion>>;
  watch: (changed: (preferences: unknown) => void) => void;
} {
  const { local } = browser.storage;
  // Loaded beside the page: the popup's field takes text without it.
  const module = import('#adapters/storage/preference-setting');
  const setting = module.then(({ createPreferenceSetting }) => createPreferenceSetting(local));
  return {
    read: async () => (await setting).read(),
    write: async (preferences) => {
      const written = await (await setting).write({ ...preferences });
      if (written.ok) {
        const { theme, language } = preferences as Record<string, unknown>;
        // Where the next page finds them before the first paint: extension storage cannot be read at once.
        localStorage.setItem('theme', String(theme));
        localStorage.setItem('language', String(language));
        await setPopupTheme(browser.action, theme);
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
