import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { expect, onTestFinished, test } from 'vitest';

import { root } from '#scripts/machine/processes';

test('npm run sandbox ends when npm is told to end, which reaches the shell alone', async () => {
  const command = `"${process.execPath}" sandbox/main.ts --port 0 --authority-port 0 --db :memory:; true`;
  const shell = spawn('sh', ['-c', command], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: 'sandbox' },
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own, all of which is ended where the sandbox is not.
    detached: true,
  });
  onTestFinished(() => {
    if (shell.pid === undefined) return;
    try {
      process.kill(-shell.pid, 'SIGKILL');
    } catch {
      // Nothing is left of it.
    }
  });
  const lines = createInterface({ input: shell.stdout });
  let origin = '';
  for await (const line of lines) {
    origin = /^The sandbox is up: (\S+)\/$/.exec(line)?.[1] ?? origin;
    if (line.endsWith('Ctrl-C stops.')) break;
  }
  expect((await fetch(origin)).ok).toBe(true);
  shell.stdout.resume();
  const ended = once(shell.stdout, 'close');
  shell.kill('SIGTERM');
  // The sandbox holds the pipe open until it ends.
  await ended;
  await expect(fetch(origin)).rejects.toThrow();
});

test('the sandbox says which options it has', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['sandbox/main.ts', '--help'], {
    cwd: root,
  });
  for (const option of ['--port', '--authority-port', '--db']) expect(stdout).toContain(option);
});
