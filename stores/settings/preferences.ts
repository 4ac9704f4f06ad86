import { defineStore } from 'pinia';
import { ref } from 'vue';

import { defaultPreferences, type Preferences, readPreferences } from '#core/preferences/index';
import { usePort } from '#stores/ports';
import { type PreferenceChanges, preferencePort } from '#stores/settings/ports';
import type { ExpectedItem } from '#core/items/index';

/** Holds what the agent prefers. Until `ready`, no picture is loaded. */
export const usePreferences = defineStore('preferences', () => {
  const store = usePort(preferencePort);
  const current = ref<Preferences>({ ...defaultPreferences, pictures: false });

  /** Whether a newer version of the program wrote the preferences, so that a change lasts on this page alone. */
  const newer = ref(false);

  const ready = store.read().then((stored) => {
    current.value = readPreferences(stored);
  });
  store.watch((written) => {
    current.value = readPreferences(written);
  });

  async function change(changes: PreferenceChanges): Promise<void> {
    await ready;
    current.value = readPreferences({ ...current.value, ...changes });
    newer.value = !(await store.change(changes)).ok;
  }

  /** @param item undefined: any item */
  async function expect(item: ExpectedItem | undefined): Promise<void> {
    await ready;
    if (current.value.expectedItem !== item) await change({ expectedItem: item });
  }

  return { current, newer, ready, change, expect };
});
