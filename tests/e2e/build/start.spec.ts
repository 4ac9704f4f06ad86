import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';

import { expect, test } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { freePorts, root, run } from '#scripts/machine/processes';

const npmStart = (...args: string[]): ReturnType<typeof run> =>
  run('npm', ['start', '--', ...args]);

/** The command lines of what runs on this Linux and names a text. */
async function processesNaming(text: string): Promise<string[]> {
  const running = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    running.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.includes(text));
}

test('npm start --silent -- --json prints nothing but what the real popup said, stays up, and leaves nothing behind when npm is told to end', async () => {
  const [port] = await freePorts(1);
  const npm = spawn('npm', ['start', '--silent', '--', '--json', '--port', String(port)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let messages = '';
  npm.stderr.on('data', (data: Buffer) => (messages += data.toString()));
  const isUp = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${String(port)}/`).then(
      ({ ok }) => ok,
      () => false,
    );
  const lines: string[] = [];
  const printed = createInterface({ input: npm.stdout });
  printed.on('line', (line) => lines.push(line));
  await Promise.race([once(printed, 'line'), once(npm, 'exit')]);
  expect(npm.exitCode, messages).toBeNull();
  expect(await isUp()).toBe(true);
  const profile = `profile-${String(port)}`;
  const isLinux = process.platform === 'linux';
  if (isLinux) expect((await processesNaming(profile)).length).toBeGreaterThan(1);
  npm.kill('SIGTERM');
  await expect.poll(isUp).toBe(false);
  if (isLinux) await expect.poll(() => processesNaming(profile)).toEqual([]);

  const result: unknown = JSON.parse(lines.join('\n'));
  expect(result).toEqual({
    verdict: 'supported',
    code: sampleCodes('/demo').supported,
    item: 'Ledgerline: invoices for small teams',
    supportedUntil: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
    milliseconds: expect.any(Number) as unknown,
    screenshot: expect.stringMatching(/\.png$/) as unknown,
  });
  const { screenshot } = result as { screenshot: string };
  const signature = (await readFile(screenshot)).subarray(0, 8).toString('latin1');
  expect(signature).toBe('\u0089PNG\r\n\u001a\n');
});

test('npm start -- --once --json --relay ends with a check through a relay of its own', async () => {
  const [port] = await freePorts(1);
  const args = ['--once', '--json', '--relay', '--port', String(port)];
  const { code, output } = await npmStart(...args);
  expect(code, output).toBe(0);
  const result: unknown = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
  expect(result).toMatchObject({
    verdict: 'supported',
    code: sampleCodes('/demo').supported,
    item: 'Ledgerline: invoices for small teams',
  });
});

test('a port in use ends npm start with one sentence', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const { code, output } = await npmStart('--once', '--port', String(port));
  server.close();
  expect(code).not.toBe(0);
  const messages = output.split('\n').filter((line) => line !== '' && !/^(>|npm )/.test(line));
  expect(messages).toEqual([expect.stringContaining(`Port ${String(port)} is in use`)]);
});
