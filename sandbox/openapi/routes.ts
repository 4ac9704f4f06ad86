import { Hono } from 'hono';

import { openApiDocument } from '#sandbox/openapi/document';
import type { Servers } from '#sandbox/openapi/document';
import { openApiPage } from '#sandbox/openapi/page';

const defaultServers: Servers = {
  seller: ['http://127.0.0.1:8787/demo', 'http://127.0.0.1:8787/market'],
  authority: 'http://127.0.0.1:8788',
};

/** `/openapi.json` for machines, `/openapi` for people. */
export function openApiRoutes(servers: Servers = defaultServers): Hono {
  const app = new Hono();
  app.get('/openapi.json', (c) => c.json(openApiDocument(servers)));
  app.get('/openapi', (c) => c.html(openApiPage(servers)));
  return app;
}
