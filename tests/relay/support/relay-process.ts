import { type ChildProcess, spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { delay } from '#core/time/index';
import { isPostgres } from '#relay/store/index';
import { relayProgram } from '#tests/relay/support/once-in-run';
import type { RelayFiles } from '#tests/relay/support/relay';

const main = await relayProgram();

const wrongClock = new URL('wrong-clock.ts', import.meta.url).href;

export interface RelayProcess {
  readonly origin: string;
  readonly pid: number;
  /** Stops the process for this long, as a machine under load may. */
  stall(milliseconds: number): Promise<void>;
  /** Sends a signal and does not wait for what follows. */
  signal(signal: 'SIGINT'): void;
  /** Ends the reader of its log, as a log collector that crashes does. */
  endLogReader(): void;
  /** Sends a signal and waits for the end; returns the exit code, null after a kill. */
  end(signal: 'SIGHUP' | 'SIGINT' | 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

interface ProcessOptions {
  /** How far the clock of its machine is ahead. */
  readonly aheadMs?: number;
  /** 0 takes any free one, here and below. */
  readonly port?: number;
  readonly metricsPort?: number;
}

function run(
  files: RelayFiles,
  args: readonly string[],
  { aheadMs = 0, port = 0, metricsPort = 0 }: ProcessOptions = {},
): ChildProcess {
  const env = {
    ...process.env,
    ...environmentOf(files, args[0] === 'admin' ? files.administered : files.database),
    RELAY_PORT: String(port),
    RELAY_METRICS_PORT: String(metricsPort),
    CLOCK_AHEAD_MS: String(aheadMs),
  };
  const clock = aheadMs === 0 ? [] : ['--import', wrongClock];
  return spawn(process.execPath, [...clock, main, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function environmentOf(files: RelayFiles, place: string): Readonly<Record<string, string>> {
  return {
    [isPostgres(place) ? 'DATABASE_URL' : 'RELAY_DATABASE']: place,
    RELAY_MASTER_KEY: files.masterKey,
  };
}

const running = new Set<ChildProcess>();

/** Kills the relays that a failed test has left. */
export function killRelays(): void {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
}

/** Starts `npm run relay` and waits until it listens. Rejects when it ends before. */
export async function spawnRelay(
  files: RelayFiles,
  options?: ProcessOptions,
): Promise<RelayProcess> {
  const child = run(files, [], options);
  running.add(child);
  const { stdout } = child;
  if (stdout === null) throw new Error('The relay has no output.');
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  createInterface({ input: stdout }).on('line', (line) => {
    const { event, port } = JSON.parse(line) as { readonly event?: string; readonly port?: number };
    if (event === 'started' && port !== undefined) resolve(port);
  });
  child.once('exit', () => {
    reject(new Error('The relay ended.'));
  });
  const port = await promise;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    pid: child.pid ?? 0,
    stall: async (milliseconds) => {
      child.kill('SIGSTOP');
      await delay(milliseconds);
      child.kill('SIGCONT');
    },
    signal: (signal) => {
      child.kill(signal);
    },
    endLogReader: () => {
      stdout.destroy();
    },
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

/** Runs an admin command in a pipe before another program, as a shell does. */
export function pipeAdmin(
  files: RelayFiles,
  command: string,
  reader: string,
): SpawnSyncReturns<string> {
  const line = `set -o pipefail; "$0" "$1" admin ${command} | ${reader}`;
  const env = { ...process.env, ...environmentOf(files, files.administered) };
  return spawnSync('bash', ['-c', line, process.execPath, main], { env, encoding: 'utf8' });
}
