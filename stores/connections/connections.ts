import { defineStore } from 'pinia';
import { reactive, ref } from 'vue';

import type { Fault } from '#core/seller/fault';
import type { ConnectionState } from '#messaging/connections/protocol';
import { accessPort, askPort, clockPort, usePort } from '#stores/ports';

/** The connections, in the team's order, and what can be done to one of them. */
export const useConnections = defineStore('connections', () => {
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const requestAccess = usePort(accessPort);

  /** Undefined until the worker has answered once. */
  const list = ref<ConnectionState[]>();
  const deleted = ref<{ id: string; name: string; undoUntil: number }>();
  /** Why the last act on a connection came to nothing, by connection. */
  const faults = reactive(new Map<string, Fault>());
  let forgetting: ReturnType<typeof setTimeout> | undefined;

  async function load(): Promise<ConnectionState[]> {
    return (list.value = await ask('connections.list', {}));
  }

  function find(id: string): ConnectionState | undefined {
    return list.value?.find((connection) => connection.id === id);
  }

  function put(state: ConnectionState): void {
    const others = list.value ?? [];
    const at = others.findIndex(({ id }) => id === state.id);
    list.value = at < 0 ? [...others, state] : others.with(at, state);
  }

  /** Moves one connection by whole places; beyond either end nothing happens. */
  async function move(id: string, places: number): Promise<void> {
    const present = list.value ?? [];
    const from = present.findIndex((connection) => connection.id === id);
    const moved = present[from];
    const to = from + places;
    if (moved === undefined || to < 0 || to >= present.length) return;
    list.value = present.toSpliced(from, 1).toSpliced(to, 0, moved);
    list.value = await ask('connections.reorder', { ids: list.value.map((each) => each.id) });
  }

  async function remove(id: string): Promise<void> {
    const connection = find(id);
    if (connection === undefined) return;
    const { undoUntil } = await ask('connections.delete', { id });
    list.value = (list.value ?? []).filter((each) => each.id !== id);
    clearTimeout(forgetting);
    deleted.value = { id, name: connection.name, undoUntil };
    forgetting = setTimeout(() => (deleted.value = undefined), Math.max(0, undoUntil - now()));
  }

  async function undoRemove(): Promise<void> {
    const id = deleted.value?.id;
    if (id === undefined) return;
    clearTimeout(forgetting);
    deleted.value = undefined;
    const result = await ask('connections.restore', { id });
    if (!result.ok) faults.set(id, result.fault);
    await load();
  }

  /** Must be called in the task of a click. True when the browser now allows it. */
  async function allow(id: string): Promise<boolean> {
    const connection = find(id);
    if (connection === undefined) return false;
    const granted = await requestAccess(connection.baseAddress);
    await load();
    return granted;
  }

  /** The cure for a server that turns browsers away. True when it is in force. */
  async function setPlainUserAgent(id: string, on: boolean): Promise<boolean> {
    faults.delete(id);
    const result = await ask('connections.plain-user-agent', { id, on });
    if (result.ok) put(result.value);
    else faults.set(id, result.fault);
    return result.ok;
  }

  return {
    list,
    deleted,
    faults,
    load,
    find,
    put,
    move,
    remove,
    undoRemove,
    allow,
    setPlainUserAgent,
  };
});
