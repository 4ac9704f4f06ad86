import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { runAdmin } from '#relay/admin/admin';
import { createMasterKey, readKeyring } from '#relay/keys/keyring';
import { createLog } from '#relay/observe/log';
import { type Relay, startRelay } from '#relay/relay';
import type { ConnectionEntry } from '#scripts/agent';

/** A relay before the sandbox, with one agent. */
interface SandboxRelay extends Relay {
  /** What the agent enters: the token in the place of the API key. */
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

  async function admin(command: string, input = '', publicOrigin?: string): Promise<string> {
    let printed = '';
    await runAdmin(command.split(' '), () => ({ database, keyring, publicOrigin }), {
      stdin: chunks(input),
      stdout: { write: (text) => (printed += text) },
    });
    return printed.trimEnd();
  }

  await admin(`connections add demo ${account.baseAddress} --name Sandbox`);
  await admin('keys set demo', account.apiKey);
  await admin(`agents add ${agent}`);
  const token = await admin('invites redeem', await admin(`invites add ${agent}`));
  const relay = await startRelay({
    name: 'Sandbox team',
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    noticeMs: 0,
    database,
    keyring: keyring(),
    log: createLog('silent'),
  });
  const baseAddress = `${relay.origin}/c/demo`;
  return {
    ...relay,
    connection: { name: 'Team relay', baseAddress, apiKey: token, keyPlacement: 'Authorization' },
    invite: await admin(`invites add ${agent}`, '', relay.origin),
  };
}

async function* chunks(text: string): AsyncGenerator<string> {
  await Promise.resolve();
  yield text;
}
