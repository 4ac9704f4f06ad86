import { defineStore } from 'pinia';
import { ref } from 'vue';

import { defaultPreferences, type Preferences, readPreferences } from '#core/preferences/index';
import { usePort } from '#stores/ports';
import { type PreferenceChanges, preferencePort } from '#stores/settings/ports';
import type { ExpectedItem } from '#core/items/index';

/** The agent's preferences. Until `ready`, no picture is loaded. */
export const usePreferences = defineStore('preferences', () => {
  const store = usePort(preferencePort);
  const current = ref<Preferences>({ ...defaultPreferences, pictures: false });

  /** Why the latest change was not stored, so that it applies only to this page. */
  const unsaved = ref<'newer-version' | 'storage-full'>();

  const ready = store.read().then((stored) => {
    current.value = readPreferences(stored);
  });
  store.watch((written) => {
    current.value = readPreferences(written);
  });

  async function change(changes: PreferenceChanges): Promise<void> {
    await ready;
    current.value = readPreferences({ ...current.value, ...changes });
    const written = await store.change(changes);
    unsaved.value = written.ok ? undefined : written.fault.kind;
  }

  /** @param item undefined: any item */
  async function expect(item: ExpectedItem | undefined): Promise<void> {
    await ready;
    if (current.value.expectedItem !== item) await change({ expectedItem: item });
  }

  return { current, unsaved, ready, change, expect };
});
