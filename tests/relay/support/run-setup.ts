import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';
import type { TestProject } from 'vitest/node';

import { bundleRelay } from '#scripts/build/relay';
import { type Postgres, startPreparedPostgres } from '#tests/relay/support/prepared-postgres';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test file asks for what a run has once: `/postgres` and `/program`, made for the first that asks. */
    onceInRun: string;
  }
}

/** Starts it without waits for the disk: a test that ends a process needs none, and a busy disk makes calls late. */
async function startOffDisk(): Promise<Postgres> {
  const postgres = await startPreparedPostgres();
  const client = new Client(postgres.address('postgres'));
  await client.connect();
  await client.query('ALTER SYSTEM SET fsync = off');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
  return postgres;
}

/** Bundles the relay as its build does: one file starts in a third of the time that its 460 modules take. */
async function bundleProgram(): Promise<{ readonly folder: string; readonly program: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-program-'));
  await bundleRelay(folder, 'es', 'relay.mjs');
  return { folder, program: join(folder, 'relay.mjs') };
}

/** Offers one PostgreSQL and one bundle of the relay for a whole run, and takes them away with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<Postgres> | undefined;
  let bundled: ReturnType<typeof bundleProgram> | undefined;
  const offers: Readonly<Record<string, () => Promise<object>>> = {
    '/postgres': async () => {
      const { port, socketFolder, programs } = await (started ??= startOffDisk());
      return { port, socketFolder, programs };
    },
    '/program': () => (bundled ??= bundleProgram()),
  };
  const server = createServer(({ url = '' }, response) => {
    Promise.resolve(offers[url]?.()).then(
      (offer) => {
        response.end(JSON.stringify(offer));
      },
      (error: unknown) => {
        response.writeHead(500).end(String(error));
      },
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  project.provide('onceInRun', `http://127.0.0.1:${String(port)}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    const postgres = await started?.catch(() => undefined);
    await postgres?.stop();
    const relay = await bundled?.catch(() => undefined);
    if (relay !== undefined) await rm(relay.folder, { recursive: true });
  };
}
