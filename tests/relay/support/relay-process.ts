import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { RelayFiles } from '#tests/relay/support/relay';

const main = fileURLToPath(new URL('../../../relay/main.ts', import.meta.url));

/** A relay in a process of its own. */
export interface RelayProcess {
  readonly origin: string;
  /** Sends a signal and waits for the end; returns the exit code, null after a kill. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

function run(files: RelayFiles, args: readonly string[]): ChildProcess {
  const env = {
    ...process.env,
    ...{ RELAY_DATABASE: files.database, RELAY_MASTER_KEY: files.masterKey },
    ...{ RELAY_PORT: '0', RELAY_METRICS_PORT: '0' },
  };
  return spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Starts `npm run relay` and waits until it listens. */
export async function spawnRelay(files: RelayFiles): Promise<RelayProcess> {
  const child = run(files, []);
  if (child.stdout === null) throw new Error('The relay has no output.');
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { event, port } = JSON.parse(line) as { readonly event?: string; readonly port?: number };
    if (event === 'started' && port !== undefined) resolve(port);
  });
  child.once('exit', () => {
    reject(new Error('The relay ended.'));
  });
  const port = await promise;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    end: async (signal) => {
      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

/** Runs an admin command in a process of its own; resolves after its end. */
export async function spawnAdmin(files: RelayFiles, command: string): Promise<number | null> {
  const child = run(files, ['admin', ...command.split(' ')]);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
