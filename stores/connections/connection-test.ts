import { defineStore } from 'pinia';
import { computed, type ComputedRef, reactive, shallowRef, type ShallowRef, watch } from 'vue';

import { classifyInput } from '#core/codes/index';
import { fail, type Result } from '#core/result';
import type { Account, Fault } from '#core/marketplaces/index';
import {
  accountLocation,
  connectionBounds,
  type ConnectionState,
  type Dialect,
} from '#core/connections/index';
import { visibleText } from '#core/text/index';
import { useConnections } from '#stores/connections/connections';
import { useClock } from '#stores/clock';
import { askPort, clockPort, usePort } from '#stores/ports';

/** A running test, or its result. */
interface TestRun<T> {
  readonly busy: boolean;
  readonly result?: Result<T, Fault>;
  /** When it ended, epoch milliseconds. */
  readonly at?: number;
}

type SignInEnded = Extract<Fault, { readonly kind: 'relay-sign-in' }>;

/** `missing`: this browser has no token; otherwise the relay's reason for refusing it. */
export type SignInNeed = 'missing' | SignInEnded['reason'];

/** A finished account test, with the connection as of the test's start or after the test renamed it. */
interface EndedTest {
  readonly id: string;
  readonly revision: number;
  readonly passed: boolean;
}

/** Tests connections: reads the account of a key, and detects the dialect of a server. */
export const useConnectionTest = defineStore('connection-test', () => {
  const ask = usePort(askPort);
  const connections = useConnections();
  const now = usePort(clockPort);
  const clock = useClock();
  const accounts = reactive(new Map<string, TestRun<Account>>());
  const dialects = reactive(new Map<string, TestRun<Dialect>>());
  const lastEnded = shallowRef<EndedTest>();

  /** @param ended called with the result as soon as it is shown */
  async function test(id: string, ended?: (result: Result<Account, Fault>) => void): Promise<void> {
    const tested = connections.find(id);
    accounts.set(id, { busy: true });
    const { result, named } = await testAndName(id, tested).catch((error: unknown) => {
      accounts.delete(id);
      throw error;
    });
    clock.refresh();
    accounts.set(id, { busy: false, result, at: now() });
    ended?.(result);
    if (tested !== undefined) {
      const { revision } = named ?? tested;
      lastEnded.value = { id, revision, passed: result.ok && result.value.stores === undefined };
    }
    if (named !== undefined) await connections.load();
  }

  async function testAndName(id: string, tested: ConnectionState | undefined) {
    const result = await ask('connections.test', { id });
    await connections.load();
    return {
      result,
      named: tested && result.ok ? await takeName(tested, result.value) : undefined,
    };
  }

  /**
   * Renames a connection to its account's name if its name is still its address. If the connection was changed during
   * the test, the name stays, since the account may no longer be the right one.
   */
  async function takeName(
    { id, revision }: ConnectionState,
    account: Account,
  ): Promise<ConnectionState | undefined> {
    const present = connections.find(id);
    const proposed = visibleText(account.username || account.name.full).trim();
    if (present?.revision !== revision || proposed === '') return undefined;
    if (present.name !== new URL(present.baseAddress).host) return undefined;
    return change(present, { name: proposed.slice(0, connectionBounds.name) });
  }

  /** @param present must have just been read, because all of it is saved */
  async function change(
    { id, name, baseAddress, dialect, ...location }: ConnectionState,
    changed: { readonly name?: string; readonly store?: string },
  ): Promise<ConnectionState | undefined> {
    const draft = { id, name, baseAddress, dialect, ...accountLocation(location), ...changed };
    const saved = await ask('connections.save', draft);
    return saved.ok ? saved.value : undefined;
  }

  /** Sets the store of a connection to another of its account's stores, and tests it again. */
  async function chooseStore(id: string, store: string): Promise<void> {
    await connections.load();
    const present = connections.find(id);
    if (present === undefined || (await change(present, { store })) === undefined) return;
    await connections.load();
    await test(id);
  }

  /**
   * Detects the dialect of the server.
   * @param text must contain a code known to be good, because a wrong dialect and a bad code get the same answer
   * @returns whether the text contained a code
   */
  async function detect(id: string, text: string): Promise<boolean> {
    const code = codeIn(text, connections.find(id)?.dialect.codePattern);
    if (code === undefined) return false;
    dialects.set(id, { busy: true });
    const result = await ask('connections.detect', { id, code }).catch((error: unknown) => {
      dialects.delete(id);
      throw error;
    });
    dialects.set(id, { busy: false, result });
    await connections.load();
    return true;
  }

  /** Discards the results of a changed connection. */
  function forget(id: string): void {
    accounts.delete(id);
    dialects.delete(id);
  }

  /** Tells why the agent must sign in at the team's relay again to use a connection; undefined if that is not known. */
  function signInNeed({ id, throughRelay, hasKey }: ConnectionState): SignInNeed | undefined {
    if (throughRelay !== true) return undefined;
    if (!hasKey) return 'missing';
    const result = accounts.get(id)?.result;
    return result?.ok === false && result.fault.kind === 'relay-sign-in'
      ? result.fault.reason
      : undefined;
  }

  /** Asks the team's relay whether the agent is still signed in. If not, each test of its connections has failed. */
  async function checkSignIn(): Promise<void> {
    const reply = await ask('team.settings', {});
    if (reply.ok || reply.fault.kind !== 'relay-sign-in') return;
    for (const { id, throughRelay } of connections.list ?? [])
      if (throughRelay === true && accounts.get(id)?.busy !== true)
        accounts.set(id, { busy: false, result: fail(reply.fault), at: now() });
  }

  /** Discards what was found out before the agent signed in at the team's relay again. */
  function forgetSignIns(): void {
    for (const [id, { result }] of accounts)
      if (result?.ok === false && result.fault.kind === 'relay-sign-in') accounts.delete(id);
  }

  return {
    accounts,
    dialects,
    lastEnded,
    test,
    chooseStore,
    detect,
    forget,
    signInNeed,
    checkSignIn,
    forgetSignIns,
  };
});

/**
 * Follows the account tests of one connection, which may become another: the newest that has ended, which stays in sight
 * while another one runs, and the newest account that one has read. Call it in a component's setup.
 */
export function useEndedTests(id: () => string): {
  readonly ended: Readonly<ShallowRef<TestRun<Account> | undefined>>;
  readonly account: Readonly<ShallowRef<Account | undefined>>;
  /** The fault of the one that has ended. */
  readonly fault: ComputedRef<Fault | undefined>;
} {
  const tests = useConnectionTest();
  const ended = shallowRef<TestRun<Account>>();
  const account = shallowRef<Account>();
  watch(
    [id, () => tests.accounts.get(id())] as const,
    ([present, run], [before]) => {
      if (present !== before) ended.value = account.value = undefined;
      if (run?.busy === true) return;
      ended.value = run;
      if (run?.result?.ok === true) account.value = run.result.value;
    },
    { immediate: true },
  );
  const fault = computed(() =>
    ended.value?.result?.ok === false ? ended.value.result.fault : undefined,
  );
  return { ended, account, fault };
}

/** Finds a code of any form, since the agent knows that it is good. */
function codeIn(text: string, pattern: string | undefined): string | undefined {
  const input = classifyInput(text, pattern === undefined ? {} : { patterns: [pattern] });
  if (input.kind === 'codes') return input.codes[0]?.code;
  if (input.kind === 'odd') return input.code;
  const whole = text.trim();
  return input.kind === 'nothing' && /^\S{1,128}$/u.test(whole) ? whole : undefined;
}
