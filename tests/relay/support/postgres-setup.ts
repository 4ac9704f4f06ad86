import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { TestProject } from 'vitest/node';

import type { Postgres } from '#scripts/machine/postgres';
import { startPreparedPostgres } from '#tests/relay/support/prepared-postgres';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test file asks for the run's PostgreSQL, which starts with the first that does. */
    postgres: string;
  }
}

/** Offers one PostgreSQL for a whole run, and ends it with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<Postgres> | undefined;
  const server = createServer((_request, response) => {
    started ??= startPreparedPostgres();
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
