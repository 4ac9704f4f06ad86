import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { Refusal } from '#scripts/command-line/refusal';
import { startSandboxAtFreePorts } from '#scripts/running/start-sandbox';

async function database(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'start-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'sandbox.db');
}

/** Occupies a port until the test ends. @returns undefined when another program has it already */
async function occupy(port: number): Promise<number | undefined> {
  const server = createServer();
  const listening = await new Promise<boolean>((done) => {
    server.once('error', () => {
      done(false);
    });
    server.listen(port, '127.0.0.1', () => {
      done(true);
    });
  });
  if (!listening) return undefined;
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('starting the sandbox', () => {
  test('a given port in use is refused with its number', async () => {
    const port = await occupy(0);
    const started = startSandboxAtFreePorts({ port, db: await database() });
    await expect(started).rejects.toThrow(Refusal);
    await expect(started).rejects.toThrow(`Port ${String(port)} is in use`);
  });

  test('a port whose neighbour is in use is refused with the number of the neighbour', async () => {
    const neighbour = (await occupy(0)) ?? 0;
    const started = startSandboxAtFreePorts({ port: neighbour - 1, db: await database() });
    await expect(started).rejects.toThrow(/^Port \d+ is in use/);
  });

  test('without a port, the next free pair is taken', async () => {
    await occupy(8787);
    const sandbox = await startSandboxAtFreePorts({ port: undefined, db: await database() });
    onTestFinished(sandbox.close);
    expect(sandbox.seller.port).toBeGreaterThan(8787);
    expect(sandbox.authority.origin).toBe(`http://127.0.0.1:${String(sandbox.seller.port + 1)}`);
  });
});
