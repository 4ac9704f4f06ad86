import { type ComputedRef, computed, ref } from 'vue';

import { useConnections } from '#stores/connections/connections';
import { usePreferences } from '#stores/settings/preferences';

/** The select's value for checking at every connection. */
export const everyConnection = 'all';

/** The connection that codes are checked at. */
export interface ChosenConnection {
  /** A connection's id, `everyConnection`, or empty when there is no connection. */
  readonly chosen: ComputedRef<string>;
  /** Chooses a connection and remembers it for the next time. */
  readonly choose: (id: string) => void;
  /** Returns the ids of the connections to check at. */
  readonly connectionIds: () => readonly string[];
}

/** Call it in a store's setup. */
export function createChosenConnection(): ChosenConnection {
  const connections = useConnections();
  const preferences = usePreferences();
  const choice = ref<string>();

  const chosen = computed(() => {
    const list = connections.list ?? [];
    const wanted = choice.value ?? preferences.current.connection;
    if (wanted === everyConnection && list.length > 1) return everyConnection;
    return (list.find(({ id }) => id === wanted) ?? list[0])?.id ?? '';
  });

  return {
    chosen,
    choose(id) {
      choice.value = id;
      void preferences.change({ connection: id });
    },
    connectionIds() {
      if (chosen.value === everyConnection) return (connections.list ?? []).map(({ id }) => id);
      return chosen.value === '' ? [] : [chosen.value];
    },
  };
}
