import { type IncomingMessage, type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TinyServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly requests: readonly IncomingMessage[];
  readonly close: () => Promise<void>;
}

/** Starts a server that does one thing, for what no well-behaved server does. */
export async function startTinyServer(answer: RequestListener): Promise<TinyServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
