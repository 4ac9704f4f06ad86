import { browser } from 'wxt/browser';

import { createPreferenceSetting, preferencesKey } from '#adapters/storage/preference-setting';
import type { NewerVersion } from '#adapters/storage/stored-setting';
import type { Result } from '#core/result';

/** Where `theme.js` finds the theme before the first paint: extension storage cannot be read at once. */
const mirror = 'theme';

/** Stores the preferences in extension storage, shared by all pages. Nothing in them is secret. */
export function createPreferenceStore(): {
  read: () => Promise<unknown>;
  write: (preferences: object) => Promise<Result<void, NewerVersion>>;
  watch: (changed: (preferences: unknown) => void) => void;
} {
  const setting = createPreferenceSetting(browser.storage.local);
  return {
    read: () => setting.read(),
    write: async (preferences) => {
      const written = await setting.write({ ...preferences });
      if (written.ok && 'theme' in preferences)
        localStorage.setItem(mirror, String(preferences.theme));
      return written;
    },
    watch: (changed) => {
      browser.storage.local.onChanged.addListener((changes) => {
        const change = changes[preferencesKey];
        if (change !== undefined) changed(change.newValue);
      });
    },
  };
}
