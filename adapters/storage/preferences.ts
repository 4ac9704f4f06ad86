import { browser } from 'wxt/browser';

/** Where the theme is kept besides, for `theme.js`: it must be known before the first paint, and this store is read at once. */
const mirror = 'theme';
const item = 'preferences';

/**
 * Preferences of looks in extension storage, shared by all pages. Nothing secret, and not believed when read: the
 * reader decides what of it makes sense.
 */
export function createPreferenceStore(): {
  read: () => Promise<unknown>;
  write: (preferences: object) => Promise<void>;
  watch: (changed: (preferences: unknown) => void) => void;
} {
  return {
    read: async () => (await browser.storage.local.get(item))[item],
    write: async (preferences) => {
      if ('theme' in preferences) localStorage.setItem(mirror, String(preferences.theme));
      await browser.storage.local.set({ [item]: preferences });
    },
    watch: (changed) => {
      browser.storage.local.onChanged.addListener((changes) => {
        const change = changes[item];
        if (change !== undefined) changed(change.newValue);
      });
    },
  };
}
