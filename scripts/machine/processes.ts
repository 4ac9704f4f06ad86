import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { constants, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';

import { exitWithNpm } from '#sandbox/exit-with-npm';

export const root = join(import.meta.dirname, '../..');

const running = new Set<ChildProcess>();

export interface Ended {
  /** Exit code; a signal counts as 1. */
  readonly code: number;
  /** stdout and stderr, in the order of arrival. */
  readonly output: string;
  readonly milliseconds: number;
}

export interface RunOptions extends Pick<SpawnOptions, 'env' | 'cwd'> {
  /** Called with stdout and stderr as they come. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  /** Leaves the processors to whatever else wants them. */
  readonly inBackground?: boolean;
}

/**
 * Where Node keeps modules as it compiled them: a relay of ours starts in half the time, and so does what a test
 * starts.
 */
const compiled = join(root, 'node_modules/.cache/node');

/**
 * Runs a program to its end, with the bundled Node and `node_modules/.bin` first on the PATH. The program gets its own
 * process group, so that it can be ended with all its children.
 */
export async function run(
  command: string,
  args: readonly string[],
  { onOutput, inBackground = false, ...options }: RunOptions = {},
): Promise<Ended> {
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    ...options,
    env: { NODE_COMPILE_CACHE: compiled, ...process.env, ...options.env, PATH: binaries() },
  });
  running.add(child);
  if (inBackground && child.pid !== undefined) lowerPriority(child.pid);
  const chunks: Buffer[] = [];
  const take = (chunk: Buffer): void => {
    chunks.push(chunk);
    onOutput?.(chunk);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const code = await new Promise<number>((done) => {
    child.once('error', (error) => {
      chunks.push(Buffer.from(`${error.message}\n`));
      done(1);
    });
    child.once('close', (exitCode) => {
      done(exitCode ?? 1);
    });
  });
  running.delete(child);
  return {
    code,
    output: Buffer.concat(chunks).toString('utf8'),
    milliseconds: performance.now() - began,
  };
}

/** Gives a program the lowest priority, and with it whatever it starts from now on. */
function lowerPriority(id: number): void {
  try {
    setPriority(id, constants.priority.PRIORITY_LOW);
    // Linux shares a processor out between sessions first, and each program that is run here is one.
    if (process.platform === 'linux') writeFileSync(`/proc/${String(id)}/autogroup`, '19');
  } catch {
    // It has ended already, or the system lets nobody choose: it is as fast as the others.
  }
}

/** Ends every program still running, with everything it started. */
function endAll(): void {
  for (const child of running) {
    if (child.pid === undefined) continue;
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  }
  running.clear();
}

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

/**
 * Ends all running programs when this command receives Ctrl-C, a hang-up or a plain kill.
 * @returns removes the signal handlers, for a command with a shutdown of its own; running programs still end with it
 */
export function endAllOnSignals(): () => void {
  const handlers = signals.map(([signal, code]) => {
    const handler = (): void => {
      process.exit(code);
    };
    process.once(signal, handler);
    return [signal, handler] as const;
  });
  process.once('exit', endAll);
  exitWithNpm(() => {
    process.kill(process.pid, 'SIGTERM');
  });
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

/** Settles when this command receives a signal to stop. */
export async function untilAskedToStop(): Promise<void> {
  await new Promise<void>((done) => {
    for (const [signal] of signals)
      process.once(signal, () => {
        done();
      });
  });
}

/**
 * Returns the PATH with the lockfile's Node first, and at its end Debian's servers, which an ordinary user's PATH
 * leaves out.
 */
function binaries(): string {
  return [join(root, 'node_modules/.bin'), process.env['PATH'] ?? '', '/usr/sbin'].join(delimiter);
}

/**
 * Below the ports that systems give to connections, and to servers that take any: nobody else is given one of these
 * meanwhile.
 */
const [firstPort, lastPort] = [20_000, 32_000] as const;

/** Returns different ports that nothing listens at. */
export async function freePorts(count: 1): Promise<[number]>;
export async function freePorts(count: 3): Promise<[number, number, number]>;
export async function freePorts(count: number): Promise<number[]> {
  const servers = new Map<number, Server>();
  while (servers.size < count) {
    const port = randomInt(firstPort, lastPort);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) servers.set(port, server);
  }
  for (const server of servers.values()) {
    server.close();
    await once(server, 'close');
  }
  return [...servers.keys()];
}
