import { watchEffect } from 'vue';

import { usePreferences } from '#stores/settings/preferences';

/** Keeps the page in the chosen theme once preferences are read; before that `theme.js` has seen to it. */
export function useTheme(): void {
  const preferences = usePreferences();
  void preferences.ready.then(() => {
    watchEffect(() => {
      document.documentElement.dataset['theme'] = preferences.current.theme;
    });
  });
}
