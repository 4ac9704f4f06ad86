import { createServer } from 'node:net';

import { Refusal } from '#scripts/refusal';

/** Refuses unless a server can listen on this loopback port now. */
export async function demandFreePort(port: number): Promise<void> {
  const free = await new Promise<boolean>((done) => {
    const probe = createServer();
    probe.once('error', () => {
      done(false);
    });
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => {
        done(true);
      });
    });
  });
  if (free) return;
  throw new Refusal(
    `Port ${String(port)} is in use: end what listens there, or give another with "npm start -- --port ${String(port + 10)}".`,
  );
}
