import { Readable } from 'node:stream';

import { runAdmin } from '#relay/admin/admin';
import type { RelayOptions } from '#relay/relay';
import type { Settings } from '#relay/settings';

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

/** Creates what runs the administrator's commands on a relay's database, with standard input as text and RELAY_ORIGIN as given. */
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
