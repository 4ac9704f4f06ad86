import { createServer } from 'node:net';

import { Refusal } from '#scripts/refusal';

/** Refuses unless a server can listen on this loopback port now. */
export async function demandFreePort(port: number): Promise<void> {
  const hindrance = await new Promise<string | undefined>((done) => {
    const probe = createServer();
    probe.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      done(code);
    });
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => {
        done(undefined);
      });
    });
  });
  if (hindrance === undefined) return;
  if (hindrance === 'EACCES') {
    throw new Refusal(
      `Port ${String(port)} is for the administrator alone: give one from 1024 on with "npm start -- --port 8787".`,
    );
  }
  throw new Refusal(
    `Port ${String(port)} is in use: end what listens there, or give another with "npm start -- --port ${String(port + 10)}".`,
  );
}
