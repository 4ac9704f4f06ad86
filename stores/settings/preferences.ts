import { defineStore } from 'pinia';
import { ref } from 'vue';

import { defaultPreferences, type Preferences, readPreferences } from '#core/preferences';
import { usePort } from '#stores/ports';
import { preferencePort } from '#stores/settings/ports';
import type { ExpectedItem } from '#core/expected-item';

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

  async function change(changes: Partial<Preferences>): Promise<void> {
    await ready;
    current.value = { ...current.value, ...changes };
    await save();
  }

  async function save(): Promise<void> {
    newer.value = !(await store.write(current.value)).ok;
  }

  /** @param item undefined: any item */
  async function expect(item: ExpectedItem | undefined): Promise<void> {
    await ready;
    const { expectedItem: before, ...others } = current.value;
    if (before === undefined && item === undefined) return;
    current.value = item === undefined ? others : { ...others, expectedItem: item };
    await save();
  }

  return { current, newer, ready, change, expect };
});
