import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Client } from 'pg';
import type { TestProject } from 'vitest/node';

import { type Postgres, startPreparedPostgres } from '#tests/relay/support/prepared-postgres';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test file asks for the run's PostgreSQL, which starts with the first that does. */
    postgres: string;
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

/** Offers one PostgreSQL for a whole run, and ends it with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<Postgres> | undefined;
  const server = createServer((_request, response) => {
    started ??= startOffDisk();
    started.then(
      ({ port, socketFolder, programs }) => {
        response.end(JSON.stringify({ port, socketFolder, programs }));
      },
      (error: unknown) => {
        response.writeHead(500).end(String(error));
      },
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  project.provide('postgres', `http://127.0.0.1:${String(port)}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    const postgres = await started?.catch(() => undefined);
    await postgres?.stop();
  };
}
