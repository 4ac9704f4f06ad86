import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

import { Problem } from '#relay/problem';

/** Answers a request, and never rejects. */
export type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

export interface Listening {
  readonly port: number;
  /** Accepts no further connection, and resolves when the last reply has ended or after `withinMs`. Returns how many were cut off. */
  drain(withinMs: number): Promise<number>;
  /** Resolves when no answer is in progress, whether or not its client is still there. */
  settled(): Promise<unknown>;
}

const maxConnections = 2_048;
/** Milliseconds for a request to arrive, and for an idle connection: longer than proxies keep one, so that they close it first. */
const times = { requestTimeout: 30_000, headersTimeout: 30_000, keepAliveTimeout: 100_000 };

interface Connected {
  /** The response in progress; undefined between requests. */
  response: ServerResponse | undefined;
  /** How many bytes had arrived when the last response had been sent. */
  bytesRead: number;
}

/** How long sending a reply may take, in milliseconds: without progress, and in all. */
const sendingLimits = { stillMs: 10_000, wholeMs: 60_000 };

/** By Node's code, why listening at an address failed. */
const refusals: Readonly<Record<string, string>> = {
  EACCES: 'this account may not; take a port from 1024 on',
  EADDRINUSE: 'another program does; end it, or take another port',
  EADDRNOTAVAIL: 'this machine has no such address; correct RELAY_HOST',
};

/**
 * Listens on an address.
 *
 * A connection is answered one request at a time; if it sends a second one before the first reply, it is closed (by RFC 9112, 9.3.2, a
 * client may retry). A reply that nobody reads is given up. If all connections are taken, a new one replaces the one that has been longest
 * without a whole request.
 * @param port 0 takes any free one
 * @throws Problem if listening there fails
 */
export async function listen(
  answer: Answer,
  at: { readonly host: string; readonly port: number },
  { stillMs, wholeMs } = sendingLimits,
): Promise<Listening> {
  /** The one that has been silent for longest is first. */
  const connected = new Map<Socket, Connected>();
  const answers = new Set<Promise<unknown>>();
  const server = createServer(times);

  /** Makes room for one more connection; false if all of them have sent a whole request and are being answered. */
  function makeRoom(): boolean {
    if (connected.size < maxConnections) return true;
    for (const [socket, { response }] of connected) {
      // A body that does not arrive must not keep others out.
      if (response?.req.complete === true) continue;
      connected.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  server.on('connection', (socket) => {
    if (!makeRoom()) {
      socket.destroy();
      return;
    }
    connected.set(socket, { response: undefined, bytesRead: 0 });
    socket.once('close', () => {
      connected.delete(socket);
    });
  });
  server.on('request', (incoming, response) => {
    const { socket } = incoming;
    const connection = connected.get(socket);
    if (connection === undefined) return;
    if (connection.response !== undefined) {
      socket.destroy();
      return;
    }
    connection.response = response;
    let deadline: NodeJS.Timeout | undefined;
    response.once('prefinish', () => {
      // For a client that has gone, no event would end the timer.
      if (response.closed) return;
      // Counts from the last byte sent; Node ends the connection.
      socket.setTimeout(stillMs);
      deadline = setTimeout(() => {
        socket.destroy();
      }, wholeMs);
    });
    const end = (): void => {
      clearTimeout(deadline);
      connection.response = undefined;
      connection.bytesRead = socket.bytesRead;
      if (connected.delete(socket)) connected.set(socket, connection);
    };
    response.once('finish', end);
    response.once('close', end);
    const answered = Promise.resolve(answer(incoming, response)).finally(() => {
      answers.delete(answered);
    });
    answers.add(answered);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = refusals[error.code ?? ''] ?? error.message;
      reject(new Problem(`Cannot listen at ${at.host}, port ${String(at.port)}: ${why}.`));
    });
    server.listen(at.port, at.host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : at.port,
    settled: () => Promise.all(answers),
    drain: async (withinMs) => {
      const ended = new Promise<void>((resolve) => {
        // The HTTP server's own `close` treats a connection as idle if its reply has ended but is not sent yet.
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
      const late = Promise.withResolvers<undefined>();
      const timer = setTimeout(late.resolve, withinMs, undefined);
      await Promise.race([ended, late.promise]);
      clearTimeout(timer);
      clearInterval(sweep);
      const cut = [...connected.values()].filter(({ response }) => response !== undefined).length;
      server.closeAllConnections();
      await ended;
      // Stops the timers of requests.
      server.close();
      return cut;
    },
  };
}
