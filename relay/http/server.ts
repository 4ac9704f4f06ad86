import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

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

/** How many connections may be open at once. */
const maxConnections = 2_048;
/** How long a request may take to arrive, in milliseconds. */
const arrivalMs = 30_000;

/** Holds what is known of a connection. */
interface Connected {
  /** The response that is being made or sent; undefined between requests. */
  response: ServerResponse | undefined;
  /** How many bytes had come when the last response had left. */
  bytesRead: number;
}

/** Tells how long replies may take to leave. In milliseconds. */
export interface SendingLimits {
  /** Without a single byte leaving. */
  readonly stillMs: number;
  readonly wholeMs: number;
}

const sendingLimits: SendingLimits = { stillMs: 10_000, wholeMs: 60_000 };

/**
 * Listens on an address. Rejects when it is taken.
 *
 * A connection is answered one request at a time; one that sends a second before it has the first reply is closed (RFC 9112, 9.3.2,
 * lets a client ask again). A reply that nobody reads is given up.
 * @param port 0 takes any free one
 */
export async function listen(
  app: Fetching,
  at: { readonly host: string; readonly port: number },
  { stillMs, wholeMs }: SendingLimits = sendingLimits,
): Promise<Listening> {
  const connected = new Map<Socket, Connected>();
  const server = createAdaptorServer({
    fetch: (request, env) => {
      const bindings = env as HttpBindings;
      const { incoming, outgoing } = bindings;
      // Nothing is asked for a request that will not be answered.
      if (connected.get(incoming.socket)?.response !== outgoing) return RESPONSE_ALREADY_SENT;
      return request.method === 'HEAD'
        ? head(app, request, bindings)
        : app.fetch(request, bindings);
    },
    serverOptions: { requestTimeout: arrivalMs, headersTimeout: arrivalMs },
  }) as Server;
  server.maxConnections = maxConnections;
  server.on('connection', (socket) => {
    connected.set(socket, { response: undefined, bytesRead: 0 });
    socket.once('close', () => {
      connected.delete(socket);
    });
  });
  // Before the app sees the request.
  server.prependListener('request', ({ socket }, response) => {
    const connection = connected.get(socket);
    if (connection === undefined) return;
    if (connection.response !== undefined) {
      socket.destroy();
      return;
    }
    connection.response = response;
    let deadline: NodeJS.Timeout | undefined;
    response.once('prefinish', () => {
      // Counts from the last byte that has left; Node ends the connection.
      socket.setTimeout(stillMs);
      deadline = setTimeout(() => {
        socket.destroy();
      }, wholeMs);
    });
    const end = (): void => {
      clearTimeout(deadline);
      connection.response = undefined;
      connection.bytesRead = socket.bytesRead;
    };
    response.once('finish', end);
    response.once('close', end);
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
        // The one of HTTP takes a connection for idle whose reply has ended and not left.
        NetServer.prototype.close.call(server, () => {
          resolve();
        });
      });
      const closeIdle = (): void => {
        for (const [socket, { response, bytesRead }] of connected) {
          if (response === undefined && socket.bytesRead === bytesRead) socket.destroySoon();
        }
      };
      closeIdle();
      const sweep = setInterval(closeIdle, 50);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, withinMs);
      });
      await Promise.race([ended, late]);
      clearTimeout(timer);
      clearInterval(sweep);
      const cut = [...connected.values()].filter(({ response }) => response !== undefined).length;
      server.closeAllConnections();
      await ended;
      // Ends what watches the times of requests.
      server.close();
      return cut;
    },
  };
}
