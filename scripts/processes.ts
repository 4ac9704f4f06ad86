import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { delimiter, join } from 'node:path';

export const root = join(import.meta.dirname, '..');

const running = new Set<ChildProcess>();

export interface Ended {
  /** Exit code; a signal counts as 1. */
  readonly code: number;
  /** stdout and stderr as they came, mixed. */
  readonly output: string;
  readonly milliseconds: number;
}

export interface RunOptions extends Pick<SpawnOptions, 'env' | 'cwd'> {
  /** Called with stdout and stderr as they come. */
  readonly onOutput?: (chunk: Uint8Array) => void;
}

/**
 * Runs a program of the project or the machine to its end, with `node_modules/.bin` first on the PATH.
 * It leads a process group of its own, so that it can be ended with all that it started.
 */
export async function run(
  command: string,
  args: readonly string[],
  { onOutput, ...options }: RunOptions = {},
): Promise<Ended> {
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    ...options,
    env: { ...process.env, ...options.env, PATH: binaries() },
  });
  running.add(child);
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

/** Ends every program still running, with everything it started. */
export function endAll(): void {
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
 * From now on Ctrl-C, a hang-up or a plain kill ends what this command started before it ends itself.
 * @returns takes the signals back, for a command that has an end of its own to make; what is running still ends with it
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
  endWithNpm();
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

/** A plain kill of npm ends the shell between it and us, which passes nothing on: we are left to another parent. */
function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}

/** Settles when somebody asks this command to stop. */
export async function untilAskedToStop(): Promise<void> {
  await new Promise<void>((done) => {
    for (const [signal] of signals)
      process.once(signal, () => {
        done();
      });
  });
}

/** The Node of the lockfile comes first, whatever started this script. */
function binaries(): string {
  return [
    join(root, 'node_modules/node/bin'),
    join(root, 'node_modules/.bin'),
    process.env['PATH'] ?? '',
  ].join(delimiter);
}
