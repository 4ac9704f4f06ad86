import { computed, ref, type WritableComputedRef } from 'vue';

import { everyConnection, useConnections } from '#stores/connections/connections';
import { usePreferences } from '#stores/settings/preferences';

/**
 * Returns the connection of a section: the one chosen here, else the one last chosen anywhere, else all, or the first
 * if all cannot be chosen.
 */
export function useConnectionChoice(all: 'one' | 'all-too'): WritableComputedRef<string> {
  const connections = useConnections();
  const preferences = usePreferences();
  const choice = ref<string>();
  return computed({
    get: () => {
      const list = connections.list ?? [];
      const wanted = choice.value ?? preferences.current.connection;
      if (list.some(({ id }) => id === wanted)) return wanted;
      return all === 'all-too' && list.length > 1 ? everyConnection : (list[0]?.id ?? '');
    },
    set: (id) => {
      choice.value = id;
    },
  });
}
