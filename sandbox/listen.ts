import type { Server } from 'node:http';

/** Reports that another program listens on the port already. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse';
  readonly port: number;

  constructor(port: number) {
    super(`Port ${String(port)} is in use`);
    this.port = port;
  }
}

/**
 * Listens on 127.0.0.1 alone.
 *
 * @param port 0 takes any free one
 * @returns the port; rejects with `PortInUse` when it is taken
 */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new PortInUse(port) : error);
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
