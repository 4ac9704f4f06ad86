import { Hono } from 'hono';

import type { AuthorityKeys } from '#sandbox/authority/keys';
import type { Ledger } from '#sandbox/authority/ledger';
import { sampleFiles } from '#sandbox/samples/files';
import { registerSample } from '#sandbox/samples/register';

/**
 * Serves the sample files at `/samples/NAME`, made for each download so that their times are right, and registers their
 * installations with the authority.
 */
export function sampleRoutes(parts: {
  readonly keys: AuthorityKeys;
  readonly ledger: Ledger;
  readonly clock: () => number;
}): Hono {
  const { keys, ledger, clock } = parts;
  const app = new Hono();
  app.get('/samples/:name', (c) => {
    const file = sampleFiles(keys.current(), clock()).find(
      ({ name }) => name === c.req.param('name'),
    );
    if (file === undefined) return c.json({ status: 'error', msg: 'No such sample.' }, 404);
    registerSample(ledger, file);
    return c.body(new Uint8Array(Buffer.from(file.content)), 200, {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${file.name}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
  });
  return app;
}
