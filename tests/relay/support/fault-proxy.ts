import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands before a server as a TCP proxy, and can make the server seem gone. */
export interface FaultProxy {
  /** Leads an address of the server through the proxy. */
  lead(address: string): string;
  /** `refusing` cuts every connection off; `silent` keeps them and passes nothing on. */
  set(mode: 'forwarding' | 'refusing' | 'silent'): void;
  close(): Promise<void>;
}

export async function faultProxy(target: number): Promise<FaultProxy> {
  let mode: Parameters<FaultProxy['set']>[0] = 'forwarding';
  const pairs = new Set<readonly [Socket, Socket]>();

  const server = createServer((incoming) => {
    if (mode === 'refusing') {
      incoming.destroy();
      return;
    }
    const outgoing = connect(target, '127.0.0.1');
    const pair = [incoming, outgoing] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const [from, to] of [pair, [outgoing, incoming] as const]) {
      from.on('data', (chunk) => {
        if (mode !== 'silent') to.write(chunk);
      });
      from.on('error', end);
      from.on('close', end);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const cut = (): void => {
    for (const [incoming] of pairs) incoming.destroy();
  };
  const { port } = server.address() as AddressInfo;
  return {
    lead: (address) => {
      const url = new URL(address);
      url.port = String(port);
      return url.href;
    },
    set: (next) => {
      mode = next;
      if (mode === 'refusing') cut();
    },
    close: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        cut();
      }),
  };
}
