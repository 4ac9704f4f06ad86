import { join } from 'node:path';

import { market } from '#sandbox/seed/accounts';
import { startSandbox } from '#sandbox/server';
import { addConnection, type ConnectionEntry } from '#scripts/running/agent';
import {
  type Extension,
  extensionId,
  grantHosts,
  launchExtension,
  openPage,
} from '#scripts/running/extension';
import { root } from '#scripts/machine/processes';

/**
 * Holds what every measurement may use: one browser with the production build and the bare extension, and the sandbox.
 */
export interface BenchSetup {
  readonly extension: Extension;
  /** The connection that the extension has. */
  readonly connection: ConnectionEntry;
  /** Genuine codes at that connection. Ask each only once: a cached reply would measure nothing. */
  readonly codes: readonly string[];
}

const bareBuild = join(root, 'bench/bare');

export const bareId = extensionId(bareBuild);

/**
 * Starts the sandbox and a browser with both extensions.
 * @param profile an empty folder
 */
export async function createBenchSetup(
  profile: string,
  executablePath: string,
): Promise<{ setup: BenchSetup; close: () => Promise<void> }> {
  const sandbox = await startSandbox({ port: 0, db: ':memory:' });
  await grantHosts(profile, ['http://127.0.0.1/*'], executablePath);
  const extension = await launchExtension(profile, {
    executablePath,
    headless: true,
    beside: [bareBuild],
  });
  const connection = {
    name: 'Market',
    baseAddress: `${sandbox.origin}/market`,
    apiKey: sandbox.keys['/market'],
  };
  const options = await openPage(extension, 'options.html');
  await addConnection(options, connection);
  await options.close();
  return {
    setup: { extension, connection, codes: market.purchases.map(({ code }) => code) },
    close: async () => {
      await extension.context.close();
      await sandbox.close();
    },
  };
}
