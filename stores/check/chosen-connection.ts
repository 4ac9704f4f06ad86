import { type ComputedRef, computed, ref } from 'vue';

import { everyConnection, useConnections } from '#stores/connections/connections';
import { usePreferences } from '#stores/settings/preferences';

/** The connection at which codes are checked: all of them, unless the agent has chosen one. */
export interface ChosenConnection {
  /** A connection's id, `everyConnection`, or empty if there is no connection. */
  readonly chosen: ComputedRef<string>;
  /** Chooses a connection and remembers the choice. */
  readonly choose: (id: string) => void;
  /**
   * If the choice does not include these connections, switches to the single one, or to all. The remembered choice does
   * not change.
   */
  readonly include: (ids: readonly string[]) => void;
  readonly connectionIds: () => readonly string[];
}

/** Creates the choice of a connection, initially the remembered one. Call it in a store's setup. */
export function createChosenConnection(): ChosenConnection {
  const connections = useConnections();
  const preferences = usePreferences();
  const choice = ref<string>();

  const chosen = computed(() => {
    const list = connections.list ?? [];
    const wanted = choice.value ?? preferences.current.connection;
    if (list.some(({ id }) => id === wanted)) return wanted;
    return list.length > 1 ? everyConnection : (list[0]?.id ?? '');
  });

  return {
    chosen,
    choose(id) {
      choice.value = id;
      void preferences.change({ connection: id });
    },
    include(ids) {
      const [first = ''] = ids;
      if (chosen.value === everyConnection || ids.every((id) => id === chosen.value)) return;
      choice.value = ids.length === 1 ? first : everyConnection;
    },
    connectionIds() {
      if (chosen.value === everyConnection) return (connections.list ?? []).map(({ id }) => id);
      return chosen.value === '' ? [] : [chosen.value];
    },
  };
}
