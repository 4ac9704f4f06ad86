import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach } from 'vitest';

import { readKeyring } from '#relay/keys/keyring';
import { createObserver } from '#relay/observe/observer';
import { type Relay, type RelayOptions, startRelay } from '#relay/relay';
import { administer } from '#relay/admin/operator';
import type { Store } from '#relay/store/index';
import { type RunRelayAdmin, createRelayAdmin, onThisMachine } from '#scripts/running/start-relay';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { createTestDatabase } from '#tests/relay/support/postgres';
import type { TestDatabase } from '#tests/relay/support/prepared-postgres';

/** Holds a relay's files, and runs its command line. */
export interface RelayFiles {
  readonly folder: string;
  /** What relays serve from. */
  readonly database: string;
  /** The same database as the command line opens it. */
  readonly administered: string;
  readonly masterKey: string;
  /** The database, where it is in PostgreSQL. */
  readonly postgres: TestDatabase | undefined;
  /** Runs an admin command; returns what it printed. @param publicOrigin stands in for RELAY_ORIGIN */
  readonly admin: RunRelayAdmin;
  /** Opens the store as the command line does, for as long as it is used. */
  administer<Value>(use: (store: Store) => Promise<Value>): Promise<Value>;
  connect(id: string, address: string, apiKey: string, options?: string): Promise<void>;
  /** Adds an agent and redeems an invite; returns the token. */
  join(email: string, role?: string): Promise<string>;
  /** Starts a relay on these files, with its log at debug level. */
  start(options?: Partial<RelayOptions>): Promise<StartedRelay>;
  remove(): void;
}

export interface StartedRelay extends Relay {
  /** Returns the log so far. */
  readonly logged: () => string;
}

export const stores = ['SQLite', 'PostgreSQL'] as const;

/** Makes what a relay needs on one of the stores. */
export async function relayOn(store: (typeof stores)[number]): Promise<RelayFiles> {
  return relayFiles(store === 'PostgreSQL' ? await createTestDatabase() : undefined);
}

/**
 * Makes what a relay needs, on the embedded store unless a database in PostgreSQL is given.
 * @param place of its folder
 */
export function relayFiles(given?: TestDatabase, place: string = tmpdir()): RelayFiles {
  const folder = mkdtempSync(join(place, 'relay-'));
  const file = join(folder, 'relay.db');
  const { runner: database, owner: administered } = given ?? { runner: file, owner: file };
  const masterKey = join(folder, 'master.key');
  writeFileSync(masterKey, randomBytes(32), { mode: 0o400 });
  chmodSync(masterKey, 0o400);
  const keyring = (): ReturnType<typeof readKeyring> => readKeyring([masterKey]);

  const admin = createRelayAdmin({ database: administered, keyring });

  return {
    folder,
    database,
    administered,
    masterKey,
    postgres: given,
    admin,
    administer: (use) => administer(administered, use),
    connect: async (id, address, apiKey, options = '') => {
      await admin(`connections add ${id} ${address}${options === '' ? '' : ` ${options}`}`);
      await admin(`keys set ${id} --anyway`, apiKey);
    },
    join: async (email, role = 'agent') => {
      await admin(`agents add ${email} --role ${role}`);
      return admin('invites redeem', await admin(`invites add ${email}`));
    },
    start: async (options = {}) => {
      let log = '';
      const relay = await startRelay({
        ...onThisMachine,
        name: 'Fenwick',
        database,
        keyring: keyring(),
        observer: createObserver('debug', { write: (line) => (log += line) }),
        ...options,
      });
      return { ...relay, logged: () => log };
    },
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

/** Holds a relay whose connection `shop` leads to a seller of the test's own, and the token of its first agent. */
export interface ShopRelay {
  seller: CountingUpstream;
  files: RelayFiles;
  relay: StartedRelay;
  token: string;
}

/**
 * Makes a relay before each test, and removes it afterwards.
 * @param options of the connection
 * @param more runs before it starts
 */
export function shopRelay(
  store: (typeof stores)[number],
  options = '',
  more: (files: RelayFiles) => Promise<unknown> = () => Promise.resolve(),
): ShopRelay {
  const shop = {} as ShopRelay;
  beforeEach(async () => {
    shop.seller = await countingUpstream();
    shop.files = await relayOn(store);
    await shop.files.connect('shop', shop.seller.origin, 'canary-key-0123456789', options);
    await more(shop.files);
    shop.token = await shop.files.join('ada@fenwick.test');
    shop.relay = await shop.files.start();
  });
  afterEach(async () => {
    await shop.relay.stop();
    await shop.seller.close();
    shop.files.remove();
  });
  return shop;
}

/**
 * Makes a call to a relay: a seller call below a connection's address, or one about the team. With a code it is a
 * check.
 */
export function callThrough(
  base: string,
  token: string,
  path: string,
  options: { readonly code?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...options.headers };
  if (options.code === undefined) return fetch(base + path, { headers });
  const body = new URLSearchParams({ purchase_code: options.code });
  return fetch(base + path, { method: 'POST', headers, body });
}

export const validation = '/api/purchases/validation';
export const account = '/api/account/details';
