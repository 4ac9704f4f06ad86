import { Hono } from 'hono';

import type { RelayMetrics } from '#relay/observe/metrics';

/** Creates the page for Prometheus, on a port of its own that agents need not reach. */
export function createMetricsApp(metrics: RelayMetrics): Hono {
  const app = new Hono();
  app.get('/metrics', async (c) =>
    c.body(await metrics.page(), 200, { 'content-type': metrics.contentType }),
  );
  return app;
}
