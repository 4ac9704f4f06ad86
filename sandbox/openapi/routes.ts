import { Hono } from 'hono';

import { openApiDocument, type Servers } from '#sandbox/openapi/document';
import { openApiPage } from '#sandbox/openapi/page';

/**
 * Serves `/openapi.json` for machines and `/openapi` for people.
 * @param serversAt returns the addresses of both APIs for a request to this origin
 */
export function openApiRoutes(serversAt: (origin: string) => Servers): Hono {
  const app = new Hono();
  const servers = (url: string): Servers => serversAt(new URL(url).origin);
  app.get('/openapi.json', (c) => c.json(openApiDocument(servers(c.req.url))));
  app.get('/openapi', (c) => c.html(openApiPage(servers(c.req.url))));
  return app;
}

/** Lists the two base addresses of the sandbox's seller API. */
export function sellerServers(sellerOrigin: string): readonly string[] {
  return [`${sellerOrigin}/demo`, `${sellerOrigin}/market`];
}
