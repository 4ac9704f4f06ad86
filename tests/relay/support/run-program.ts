import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface ProgramEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Holds what a program of ours gets of this environment, where the test says all the rest. */
export const bareEnvironment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};

/** Runs a program to its end, while servers of this process go on to answer it. */
export async function runProgram(
  file: string,
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly env?: NodeJS.ProcessEnv;
    readonly input?: string;
  } = {},
): Promise<ProgramEnd> {
  const { input = '', ...rest } = options;
  const child = spawn(file, args, { ...rest, stdio: 'pipe' });
  // A program that is refused reads no input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await ended, stdout, stderr };
}
