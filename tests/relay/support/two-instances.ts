import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { RelayOptions } from '#relay/relay';
import type { RelayFiles } from '#tests/relay/support/relay';

/** Runs two instances of a relay behind one address. */
export interface TwoInstances {
  /** The address that browsers see. */
  readonly origin: string;
  /** Returns how many requests each instance was given. */
  readonly served: () => readonly number[];
  readonly stop: () => Promise<void>;
}

/**
 * Starts two instances on the same database, which is one in PostgreSQL, behind a proxy that gives each the next
 * request in turn.
 */
export async function startTwoInstances(
  files: RelayFiles,
  options: Pick<RelayOptions, 'signIn'> = {},
): Promise<TwoInstances> {
  const counts = [0, 0];
  let ports: readonly number[] = [];
  let next = 0;
  const proxy = createServer((incoming, outgoing) => {
    const index = (next += 1) % ports.length;
    counts[index] = (counts[index] ?? 0) + 1;
    passOn(incoming, outgoing, ports[index] ?? 0);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  const origin = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
  const instances = [
    await files.start({ ...options, publicOrigin: origin }),
    await files.start({ ...options, publicOrigin: origin }),
  ];
  ports = instances.map(({ port }) => port);
  return {
    origin,
    served: () => counts,
    stop: async () => {
      proxy.close();
      proxy.closeAllConnections();
      await Promise.all(instances.map((instance) => instance.stop()));
    },
  };
}

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  const { method, url: path, headers } = incoming;
  const passed = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
  passed.on('response', (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
    reply.pipe(outgoing);
  });
  passed.on('error', () => {
    outgoing.destroy();
  });
  incoming.pipe(passed);
}
