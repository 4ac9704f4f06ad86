import { watchEffect } from 'vue';

import { usePreferences } from '#stores/settings/preferences';

/** Keeps the page in the chosen theme; `theme.js` sets it until the preferences are read. */
export function useTheme(): void {
  const preferences = usePreferences();
  void preferences.ready.then(() => {
    watchEffect(() => {
      document.documentElement.dataset['theme'] = preferences.current.theme;
    });
  });
}
