import { defineStore } from 'pinia';
import { reactive } from 'vue';

import type { Result } from '#core/result';
import type { Account } from '#core/seller/account';
import type { Dialect } from '#core/seller/connection';
import type { Fault } from '#core/seller/fault';
import { useConnections } from '#stores/connections';
import { askPort, usePort } from '#stores/ports';

interface Trial<T> {
  readonly busy: boolean;
  readonly result?: Result<T, Fault>;
}

/** Tries a connection out: the account behind its key, and how its server likes to be asked. */
export const useConnectionTest = defineStore('connection-test', () => {
  const ask = usePort(askPort);
  const connections = useConnections();
  const accounts = reactive(new Map<string, Trial<Account>>());
  const dialects = reactive(new Map<string, Trial<Dialect>>());

  async function test(id: string): Promise<void> {
    accounts.set(id, { busy: true });
    const result = await ask('connections.test', { id });
    accounts.set(id, { busy: false, result });
    await connections.load();
  }

  /** @param code known to be good; with any other the way of asking cannot be told from a bad code */
  async function detect(id: string, code: string): Promise<Dialect | undefined> {
    dialects.set(id, { busy: true });
    const result = await ask('connections.detect', { id, code });
    dialects.set(id, { busy: false, result });
    await connections.load();
    return result.ok ? result.value : undefined;
  }

  /** What was seen belongs to the connection as it was. */
  function forget(id: string): void {
    accounts.delete(id);
    dialects.delete(id);
  }

  return { accounts, dialects, test, detect, forget };
});
