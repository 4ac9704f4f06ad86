import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves every request the same answer and remembers all that reached it. */
export interface Listener {
  readonly origin: string;
  /** One line of method, path and headers, then the body, for each request. */
  readonly requests: readonly string[];
  /** The paths that were asked for, each once. */
  paths(): string[];
  close(): Promise<void>;
}

/** Listens on a free port of loopback. Any page may read what it answers. */
export async function listen(): Promise<Listener> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      requests.push(text);
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('content-type', 'application/json');
      response.end('{"status":"error","msg":"This server only listens."}');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    requests,
    paths: () => [...new Set(requests.map((request) => request.split(' ')[1] ?? ''))],
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => {
          done();
        });
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const head = `${request.method ?? ''} ${request.url ?? ''} ${JSON.stringify(request.headers)}`;
  return `${head}\n${Buffer.concat(chunks).toString('utf8')}`;
}
