import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { runAdmin } from '#relay/admin/admin';
import { createMasterKey, readKeyring } from '#relay/keys/keyring';
import { createObserver } from '#relay/observe/observer';
import { type Relay, type RelayOptions, startRelay } from '#relay/relay';
import type { Settings } from '#relay/settings';
import { runSigning } from '#relay/signing/signing';
import type { ConnectionEntry } from '#scripts/running/agent';

/** Lets a relay listen on this machine alone, on any free ports, and end without notice. */
export const onThisMachine = {
  host: '127.0.0.1',
  port: 0,
  metricsPort: 0,
  noticeMs: 0,
} as const satisfies Partial<RelayOptions>;

/** Runs one command of the administrator; returns what it printed. */
export type RunRelayAdmin = (
  command: string,
  input?: string,
  publicOrigin?: string,
) => Promise<string>;

/**
 * Creates what runs the administrator's commands on a relay's database, with standard input as text and RELAY_ORIGIN as
 * given.
 */
export function createRelayAdmin(settings: Pick<Settings, 'database' | 'keyring'>): RunRelayAdmin {
  return async (command, input = '', publicOrigin) => {
    let printed = '';
    await runAdmin(command.split(' '), () => ({ ...settings, publicOrigin }), {
      stdin: Readable.from([input]),
      stdout: { write: (text) => (printed += text) },
    });
    return printed.trimEnd();
  };
}

/** A relay before the sandbox, with one agent and signed settings that lead to it. */
interface SandboxRelay extends Relay {
  /** The agent's entry, with the token in the place of the API key. */
  readonly connection: ConnectionEntry;
  /** Another invite, for trying to join. */
  readonly invite: string;
}

const agent = 'ada@team.example';

/**
 * Starts a relay on the embedded store before one of the sandbox's accounts.
 * @param folder its content is deleted
 */
export async function startSandboxRelay(
  folder: string,
  account: { readonly baseAddress: string; readonly apiKey: string },
): Promise<SandboxRelay> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const masterKey = join(folder, 'master.key');
  createMasterKey(masterKey);
  const database = join(folder, 'relay.db');
  const keyring = (): ReturnType<typeof readKeyring> => readKeyring([masterKey]);

  const admin = createRelayAdmin({ database, keyring });

  await admin(`connections add demo ${account.baseAddress} --name Sandbox`);
  await admin('keys set demo --anyway', account.apiKey);
  await admin(`agents add ${agent}`);
  const token = await admin('invites redeem', await admin(`invites add ${agent}`));
  const relay = await startRelay({
    ...onThisMachine,
    name: 'Sandbox team',
    database,
    keyring: keyring(),
    observer: createObserver('silent'),
  });
  const settings = join(folder, 'settings.json');
  await writeFile(settings, await admin('settings draft', '', relay.origin));
  await admin('settings set', sign(folder, settings, relay.origin));
  const baseAddress = `${relay.origin}/c/demo`;
  return {
    ...relay,
    connection: { name: 'Team relay', baseAddress, apiKey: token, keyPlacement: 'Authorization' },
    invite: await admin(`invites add ${agent}`, '', relay.origin),
  };
}

/** Returns a settings file as a team's administrator signs it. */
function sign(folder: string, settings: string, relay: string): string {
  const key = join(folder, 'team-signer.pem');
  runSigning(['keygen', key], Date.now(), () => undefined);
  const expiry = new Date(Date.now() + 365 * 86_400_000).toISOString();
  const options = ['--key', key, '--relay', relay, '--version', '1', '--expires', expiry];
  let signed = '';
  runSigning(['sign', ...options, settings], Date.now(), (line) => (signed = line));
  return signed;
}
