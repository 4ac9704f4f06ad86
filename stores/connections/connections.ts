import { defineStore } from 'pinia';
import { reactive, shallowRef } from 'vue';

import type { Fault } from '#core/marketplaces/index';
import type { ConnectionState } from '#core/connections/index';
import type { SetByPolicy } from '#core/policy/index';
import type { StorageFull } from '#core/storage/index';
import { askPort, usePort } from '#stores/ports';
import { useEditableList } from '#stores/ui/editable-list';

/** The value of a select that means all connections. */
export const everyConnection = 'all';

/** The connections in the team's order, which are changed through the worker. */
export const useConnections = defineStore('connections', () => {
  const ask = usePort(askPort);
  const { list, load, find, put, move, remove, allow } = useEditableList<ConnectionState>({
    name: 'connections',
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    // The key of a connection of the team is at its relay, so only the connection is deleted here.
    toldAs: ({ throughRelay }) => (throughRelay === true ? 'authorities' : 'connections'),
    addressOf: ({ baseAddress }) => baseAddress,
    load: () => ask('connections.list', {}),
    remove: async ({ id }) => {
      const removed = await ask('connections.delete', { id });
      fault.value = removed.ok ? undefined : removed.fault;
      return removed.ok ? removed.value : undefined;
    },
    restore: ({ id }) => ask('connections.restore', { id }),
  });

  /** Why the latest deletion or move was not stored. */
  const fault = shallowRef<StorageFull | SetByPolicy>();

  async function reorder(ids: string[]): Promise<ConnectionState[]> {
    const reordered = await ask('connections.reorder', { ids });
    fault.value = reordered.ok ? undefined : reordered.fault;
    return reordered.ok ? reordered.value : ask('connections.list', {});
  }

  /** Why the plain User-Agent could not be set, by connection id. */
  const faults = reactive(new Map<string, Fault | StorageFull>());

  /**
   * Turns the plain User-Agent on or off, for servers that reject browsers.
   * @returns whether it was changed; if not, `faults` has the reason
   */
  async function setPlainUserAgent(id: string, on: boolean): Promise<boolean> {
    faults.delete(id);
    const result = await ask('connections.plain-user-agent', { id, on });
    if (result.ok) put(result.value);
    else faults.set(id, result.fault);
    return result.ok;
  }

  return {
    list,
    fault,
    faults,
    load,
    find,
    put,
    move: (id: string, steps: number) => move(id, steps, reorder),
    remove,
    allow,
    setPlainUserAgent,
  };
});
