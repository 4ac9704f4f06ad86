import type { AddressInfo } from 'node:net';

import { serve, type ServerType } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { compress } from 'hono/compress';

import { verifierHeaders } from '#core/site/content-security-policy';

export interface ServedPwa {
  readonly server: ServerType;
  /** Where the verifier stands, with a closing slash. */
  readonly address: string;
}

/**
 * Serves the built verifier on loopback, with the headers that a public server should send too.
 * @param root the folder that `npm run build:pwa` made
 * @param options `port` 0 takes a free one; `at` is a sub-path such as `/tools/verifier/`
 */
export function servePwa(
  root: string,
  { port = 0, at = '/' }: { port?: number; at?: string } = {},
): Promise<ServedPwa> {
  const app = new Hono();
  app.use(compress());
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of verifierHeaders) context.res.headers.set(name, value);
    const hashed = context.req.path.startsWith(`${at}assets/`) && context.res.ok;
    context.res.headers.set(
      'cache-control',
      hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
  });
  // Reached only before the service worker is there: nothing shared is read, stored or logged.
  app.post(`${at}share-target`, (context) => context.redirect('./', 303));
  app.use(`${at}*`, serveStatic({ root, rewriteRequestPath: (path) => path.slice(at.length - 1) }));
  return new Promise((done, failed) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, (info: AddressInfo) => {
      done({ server, address: `http://127.0.0.1:${String(info.port)}${at}` });
    });
    server.on('error', failed);
  });
}
