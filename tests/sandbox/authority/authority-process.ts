import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import type { RunningAuthority } from '#sandbox/authority/server';

export type AuthorityProcess = Pick<
  RunningAuthority,
  'origin' | 'controlToken' | 'tokens' | 'publicKey'
> & {
  /** `kill -9`, and back when the process is gone. */
  kill(): Promise<void>;
};

/** Says on its first line where it listens, and with which tokens. */
const program = `
  import { startAuthority } from '#sandbox/authority/server';
  const [, db, port] = process.argv;
  const { origin, controlToken, tokens, publicKey } = await startAuthority({ db, port: Number(port) });
  console.log(JSON.stringify({ origin, controlToken, tokens, publicKey }));
`;

/** Starts the authority as a process of its own, over a database file. */
export async function startProcess(db: string, port = 0): Promise<AuthorityProcess> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', program, db, String(port)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const gone = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    return {
      ...(JSON.parse(line) as Omit<AuthorityProcess, 'kill'>),
      async kill() {
        child.kill('SIGKILL');
        await gone;
      },
    };
  }
  throw new Error('The authority ended before it was listening.');
}
