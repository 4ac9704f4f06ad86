import type { Server } from 'node:http';

import { createAdaptorServer } from '@hono/node-server';
// This must load before a server replaces the platform's responses by Hono's, so that both have the same mark for a
// sent reply. Otherwise a relay in the same process would send it again.
import '@hono/node-server/utils/response';

export class PortInUse extends Error {
  override readonly name = 'PortInUse';
  readonly port: number;

  constructor(port: number) {
    super(`Port ${String(port)} is in use`);
    this.port = port;
  }
}

export interface Listening {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly port: number;
  /** Stops at once and breaks open connections. */
  readonly close: () => Promise<void>;
}

/**
 * Listens only on 127.0.0.1.
 *
 * Rejects with `PortInUse` if the port is taken.
 * @param options.port 0 takes any free one
 * @param options.release called when no more requests are answered: after the last connection, or if the port is taken
 */
export async function listen(options: {
  readonly fetch: Parameters<typeof createAdaptorServer>[0]['fetch'];
  readonly port: number;
  readonly release: () => void;
}): Promise<Listening> {
  const { fetch, release } = options;
  const server = createAdaptorServer({ fetch }) as Server;
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new PortInUse(options.port) : error);
    });
    server.listen(options.port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : options.port);
    });
  }).catch((error: unknown) => {
    release();
    throw error;
  });
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    port,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeAllConnections();
      await closed;
      release();
    },
  };
}
