import type { InferInput } from 'valibot';

import type { MarketplaceBase } from '#sandbox/marketplaces/emulation';
import type { Base } from '#sandbox/seller/deployments';
import type { faultCommand } from '#sandbox/seller/faults';
import type { ReceivedRequest } from '#sandbox/seller/request-log';
import { type Sandbox, startSandbox } from '#sandbox/server';
import type { ConnectionEntry } from '#scripts/running/agent';

type WithoutBase<T> = T extends unknown ? Omit<T, 'base' | 'times'> & { times?: number } : never;

/** Runs the sandbox on a free port with a database in memory, and calls its control API. */
export interface TestSandbox {
  readonly origin: string;
  readonly keys: Readonly<Record<Base, string>>;
  readonly tokens: Sandbox['tokens'];
  readonly token: Sandbox['token'];
  /** Returns what an agent would type into the options for this base address. */
  connection(base: Base, name?: string): ConnectionEntry;
  /** Injects a fault into the next request there, or the next `times`. */
  injectFault(
    base: Base | MarketplaceBase,
    fault: WithoutBase<InferInput<typeof faultCommand>>,
  ): Promise<void>;
  /** Changes one purchase, field by field as on the wire; a reset does not undo it. */
  alterPurchase(base: Base, code: string, fields: Readonly<Record<string, unknown>>): Promise<void>;
  /** Returns every request since the last `reset`. */
  requests(): Promise<readonly ReceivedRequest[]>;
  /** Returns the requests to endpoints since the last `reset`, without pictures. */
  apiRequests(): Promise<readonly ReceivedRequest[]>;
  /** Deletes the pending faults. */
  removeFaults(): Promise<void>;
  /** Deletes the logged requests and the pending faults. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openSandbox(): Promise<TestSandbox> {
  const sandbox = await startSandbox({ port: 0, db: ':memory:' });
  const control = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${sandbox.origin}/control/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${sandbox.controlToken}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  };
  const requests = async (): Promise<readonly ReceivedRequest[]> =>
    ((await control('GET', 'requests')) as { requests: readonly ReceivedRequest[] }).requests;
  return {
    origin: sandbox.origin,
    keys: sandbox.keys,
    tokens: sandbox.tokens,
    token: sandbox.token,
    connection: (base, name = 'Fenwick') => ({
      name,
      baseAddress: `${sandbox.origin}${base}`,
      apiKey: sandbox.keys[base],
    }),
    injectFault: async (base, fault) => {
      await control('POST', 'faults', { ...fault, base });
    },
    alterPurchase: async (base, code, fields) => {
      await control('POST', 'purchases', { base, purchase_code: code, ...fields });
    },
    requests,
    apiRequests: async () => (await requests()).filter(({ path }) => path.includes('/api/')),
    removeFaults: async () => {
      await control('DELETE', 'faults');
    },
    reset: async () => {
      await control('DELETE', 'faults');
      await control('DELETE', 'requests');
    },
    close: sandbox.close,
  };
}
