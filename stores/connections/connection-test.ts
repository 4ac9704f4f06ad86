import { defineStore } from 'pinia';
import { reactive } from 'vue';

import { classifyInput } from '#core/check/classify-input';
import type { Result } from '#core/result';
import type { Account } from '#core/seller/account';
import type { Dialect } from '#core/connections/connection';
import type { Fault } from '#core/seller/fault';
import { useConnections } from '#stores/connections/connections';
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

  /**
   * @param text with a code known to be good, as it is pasted; with any other the way of asking cannot be told from a bad code
   * @returns whether there was a code in it to ask with
   */
  async function detect(id: string, text: string): Promise<boolean> {
    const code = codeIn(text, connections.find(id)?.dialect.codePattern);
    if (code === undefined) return false;
    dialects.set(id, { busy: true });
    const result = await ask('connections.detect', { id, code });
    dialects.set(id, { busy: false, result });
    await connections.load();
    return true;
  }

  /** What was seen belongs to the connection as it was. */
  function forget(id: string): void {
    accounts.delete(id);
    dialects.delete(id);
  }

  return { accounts, dialects, test, detect, forget };
});

/** In whatever form: the agent knows that it is good. */
function codeIn(text: string, pattern: string | undefined): string | undefined {
  const input = classifyInput(text, pattern === undefined ? {} : { patterns: [pattern] });
  if (input.kind === 'codes') return input.codes[0]?.code;
  if (input.kind === 'odd') return input.code;
  const whole = text.trim();
  return input.kind === 'nothing' && /^\S{1,128}$/u.test(whole) ? whole : undefined;
}
