import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

import { Problem } from '#relay/problem';

/** Answers a request, and never rejects. */
export type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

export interface Listening {
  readonly port: number;
  /** Accepts no further connection, and resolves when the last reply has ended or after `withinMs`. Returns how many were cut off. */
  drain(withinMs: number): Promise<number>;
  /** Resolves when nothing works on an answer any more, be its client there or not. */
  settled(): Promise<unknown>;
}

const maxConnections = 2_048;
/** How long a request may take to arrive and a connection be idle: for longer than proxies keep one, which would send a call just when it is closed. */
const times = { requestTimeout: 30_000, headersTimeout: 30_000, keepAliveTimeout: 100_000 };

interface Connected {
  /** The response that is being made or sent; undefined between requests. */
  response: ServerResponse | undefined;
  /** How many bytes had come when the last response had left. */
  bytesRead: number;
}

/** How long a reply may take to leave, in milliseconds: without a single byte leaving, and in all. */
const sendingLimits = { stillMs: 10_000, wholeMs: 60_000 };

/** Says by Node's code why nobody can listen at an address. */
const refusals: Readonly<Record<string, string>> = {
  EACCES: 'this account may not; take a port from 1024 on',
  EADDRINUSE: 'another program does; end it, or take another port',
  EADDRNOTAVAIL: 'this machine has no such address; correct RELAY_HOST',
};

/**
 * Listens on an address.
 *
 * A connection is answered one request at a time; one that sends a second before it has the first reply is closed (RFC 9112, 9.3.2,
 * lets a client ask again). A reply that nobody reads is given up. When all connections are taken, a new one takes the place of the
 * one that has been longest without a whole request.
 * @param port 0 takes any free one
 * @throws Problem where nobody can listen there
 */
export async function listen(
  answer: Answer,
  at: { readonly host: string; readonly port: number },
  { stillMs, wholeMs } = sendingLimits,
): Promise<Listening> {
  /** The one that was silent for longest comes first. */
  const connected = new Map<Socket, Connected>();
  const answers = new Set<Promise<unknown>>();
  const server = createServer(times);

  /** Makes room for one more connection; false when every one has sent a whole request, and is being answered. */
  function makeRoom(): boolean {
    if (connected.size < maxConnections) return true;
    for (const [socket, { response }] of connected) {
      // A body that does not come must not keep others out.
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
      // Of a client who has gone no event would end the timer.
      if (response.closed) return;
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
      const late = Promise.withResolvers<undefined>();
      const timer = setTimeout(late.resolve, withinMs, undefined);
      await Promise.race([ended, late.promise]);
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
