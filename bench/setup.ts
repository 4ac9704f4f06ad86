import { join } from 'node:path';

import { market } from '#sandbox/seed/market';
import { startSandbox } from '#sandbox/server';
import { addConnection, type ConnectionEntry } from '#scripts/agent';
import {
  type Extension,
  extensionId,
  grantHosts,
  launchExtension,
  openPage,
} from '#scripts/extension';
import { root } from '#scripts/processes';

/** What every measurement may use: one browser with the production build and the bare extension, and the sandbox. */
export interface Stage {
  readonly extension: Extension;
  /** Set up in the extension. */
  readonly connection: ConnectionEntry;
  /** Genuine codes at that connection, one for each question: a kept reply would measure nothing. */
  readonly codes: readonly string[];
}

const bareBuild = join(root, 'bench/bare');

export const bareId = extensionId(bareBuild);

/** @param profile an empty folder */
export async function setStage(
  profile: string,
  executablePath: string,
): Promise<{ stage: Stage; strike: () => Promise<void> }> {
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
    stage: { extension, connection, codes: market.purchases.map(({ code }) => code) },
    strike: async () => {
      await extension.context.close();
      await sandbox.close();
    },
  };
}
