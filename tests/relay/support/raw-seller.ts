import { type AddressInfo, createServer } from 'node:net';

/** Serves every request the same bytes, whether HTTP knows them or not, and closes. */
export interface RawSeller {
  readonly origin: string;
  close(): Promise<void>;
}

export async function rawSeller(bytes: string): Promise<RawSeller> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
      }),
  };
}
