import type { Server } from 'node:http';

import { createAdaptorServer } from '@hono/node-server';

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Accepts no further connection, and resolves when the last reply has ended or after `withinMs`. Returns how many were cut off. */
  drain(withinMs: number): Promise<number>;
}

/** Listens on an address. Rejects when it is taken. @param port 0 takes any free one */
export async function listen(
  app: Pick<Parameters<typeof createAdaptorServer>[0], 'fetch'>,
  at: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  let live = 0;
  server.on('request', (_request, response) => {
    live += 1;
    response.once('close', () => {
      live -= 1;
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : at.port,
    drain: async (withinMs) => {
      const ended = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      const sweep = setInterval(() => {
        server.closeIdleConnections();
      }, 50);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, withinMs);
      });
      await Promise.race([ended, late]);
      clearTimeout(timer);
      clearInterval(sweep);
      const cut = live;
      server.closeAllConnections();
      await ended;
      return cut;
    },
  };
}
