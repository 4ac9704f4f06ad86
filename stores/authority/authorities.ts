import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { AuthorityState } from '#messaging/authority/protocol';
import { accessPort, askPort, clockPort, usePort } from '#stores/ports';

/** The license authorities that are set up, and what can be done to one of them. */
export const useAuthorities = defineStore('authorities', () => {
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const requestAccess = usePort(accessPort);

  /** Undefined until the worker has answered once. */
  const list = ref<AuthorityState[]>();
  const deleted = ref<{ id: string; name: string }>();
  let forgetting: ReturnType<typeof setTimeout> | undefined;

  async function load(): Promise<AuthorityState[]> {
    return (list.value = await ask('authorities.list', {}));
  }

  function find(id: string): AuthorityState | undefined {
    return list.value?.find((authority) => authority.id === id);
  }

  function put(state: AuthorityState): void {
    const others = list.value ?? [];
    const at = others.findIndex(({ id }) => id === state.id);
    list.value = at < 0 ? [...others, state] : others.with(at, state);
  }

  async function remove(id: string): Promise<void> {
    const authority = find(id);
    if (authority === undefined) return;
    const { undoUntil } = await ask('authorities.delete', { id });
    list.value = (list.value ?? []).filter((each) => each.id !== id);
    clearTimeout(forgetting);
    deleted.value = { id, name: authority.name };
    forgetting = setTimeout(() => (deleted.value = undefined), Math.max(0, undoUntil - now()));
  }

  async function undoRemove(): Promise<void> {
    const id = deleted.value?.id;
    if (id === undefined) return;
    clearTimeout(forgetting);
    deleted.value = undefined;
    await ask('authorities.restore', { id });
    await load();
  }

  /** Must be called in the task of a click. True when the browser now allows it. */
  async function allow(id: string): Promise<boolean> {
    const authority = find(id);
    if (authority === undefined) return false;
    const granted = await requestAccess(authority.address);
    await load();
    return granted;
  }

  /** Keeps a control token for rehearsals. */
  async function setControl(id: string, token: string): Promise<boolean> {
    const cached = await ask('authorities.set-control', { id, token: token.trim() });
    if (cached.ok) put(cached.value);
    return cached.ok;
  }

  return { list, deleted, load, find, put, remove, undoRemove, allow, setControl };
});
