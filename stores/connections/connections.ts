import { defineStore } from 'pinia';
import { reactive } from 'vue';

import type { Fault } from '#core/seller/fault';
import type { ConnectionState } from '#messaging/connections/protocol';
import { askPort, usePort } from '#stores/ports';
import { useEditableList } from '#stores/ui/editable-list';

/** Holds the connections in the team's order, and changes them through the worker. */
export const useConnections = defineStore('connections', () => {
  const ask = usePort(askPort);
  const { list, load, find, put, move, remove, allow } = useEditableList<ConnectionState>({
    name: 'connections',
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    addressOf: ({ baseAddress }) => baseAddress,
    load: () => ask('connections.list', {}),
    remove: ({ id }) => ask('connections.delete', { id }),
    restore: async ({ id }) => (await ask('connections.restore', { id })).ok,
  });

  /** Why the plain User-Agent could not be set, by connection id. */
  const faults = reactive(new Map<string, Fault>());

  /**
   * Turns the plain User-Agent on or off, for servers that reject browsers.
   * @returns whether it was changed; if not, `faults` says why
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
    faults,
    load,
    find,
    put,
    move: (id: string, places: number) =>
      move(id, places, (ids) => ask('connections.reorder', { ids })),
    remove,
    allow,
    setPlainUserAgent,
  };
});
