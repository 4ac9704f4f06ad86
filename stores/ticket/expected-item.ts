import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';

import { usePreferences } from '#stores/settings/preferences';
import type { ExpectedItem } from '#core/items/index';

/**
 * The item that codes should be for: that of the help desk in front, else the one that the agent expects everywhere.
 */
export const useExpectedItem = defineStore('expected-item', () => {
  const preferences = usePreferences();
  const ofSite = shallowRef<ExpectedItem>();
  const current = computed(() => ofSite.value ?? preferences.current.expectedItem);

  return { ofSite, current };
});
