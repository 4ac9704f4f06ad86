import type { Server } from 'node:http';

import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

/** Answers requests, as an app of Hono does. */
interface Fetching {
  fetch(request: Request, env: HttpBindings): Response | Promise<Response>;
}

/** Tells where a server listens, and drains it. */
export interface Listening {
  readonly port: number;
  /** Accepts no further connection, and resolves when the last reply has ended or after `withinMs`. Returns how many were cut off. */
  drain(withinMs: number): Promise<number>;
}

/** Answers a HEAD. Hono copies the reply to a GET for it, and loses the mark of one that was sent already. */
async function head(app: Fetching, request: Request, env: HttpBindings): Promise<Response> {
  const reply = await app.fetch(request, env);
  return env.outgoing.headersSent ? RESPONSE_ALREADY_SENT : reply;
}

/** Listens on an address. Rejects when it is taken. @param port 0 takes any free one */
export async function listen(
  app: Fetching,
  at: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: (request, env) => {
      const bindings = env as HttpBindings;
      return request.method === 'HEAD'
        ? head(app, request, bindings)
        : app.fetch(request, bindings);
    },
  }) as Server;
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
