import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runAdmin } from '#relay/admin/admin';
import { readKeyring } from '#relay/keys/keyring';
import { createLog } from '#relay/observe/log';
import { type Relay, type RelayOptions, startRelay } from '#relay/relay';

/** A relay's files, and its command line. */
export interface RelayFiles {
  readonly folder: string;
  readonly database: string;
  readonly masterKey: string;
  /** Runs an admin command; returns what it printed. */
  admin(command: string, input?: string): Promise<string>;
  /** Adds a connection with its key. */
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

export function relayFiles(): RelayFiles {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'));
  const database = join(folder, 'relay.db');
  const masterKey = join(folder, 'master.key');
  writeFileSync(masterKey, randomBytes(32), { mode: 0o400 });
  chmodSync(masterKey, 0o400);
  const keyring = (): ReturnType<typeof readKeyring> => readKeyring([masterKey]);

  async function admin(command: string, input = ''): Promise<string> {
    let printed = '';
    const stdout = { write: (text: string) => (printed += text) };
    await runAdmin(command.split(' '), { database, keyring }, { stdin: chunks(input), stdout });
    return printed.trimEnd();
  }

  return {
    folder,
    database,
    masterKey,
    admin,
    connect: async (id, address, apiKey, options = '') => {
      await admin(`connections add ${id} ${address}${options === '' ? '' : ` ${options}`}`);
      await admin(`keys set ${id}`, apiKey);
    },
    join: async (email, role = 'agent') => {
      await admin(`agents add ${email} --role ${role}`);
      return admin('invites redeem', await admin(`invites add ${email}`));
    },
    start: async (options = {}) => {
      let log = '';
      const relay = await startRelay({
        ...{ name: 'Fenwick', host: '127.0.0.1', port: 0, metricsPort: 0, noticeMs: 0 },
        ...{ database, keyring: keyring() },
        log: createLog('debug', { write: (line) => (log += line) }),
        ...options,
      });
      return { ...relay, logged: () => log };
    },
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

async function* chunks(text: string): AsyncGenerator<string> {
  await Promise.resolve();
  yield text;
}

/** Makes one seller call through a relay. */
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
