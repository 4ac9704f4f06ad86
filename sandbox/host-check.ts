import type { MiddlewareHandler } from 'hono';

import type { SandboxEnvironment } from '#sandbox/environment';

/**
 * Answers only requests that name this server by its own loopback address, so that a page elsewhere cannot reach it
 * through a name of its own (DNS rebinding).
 *
 * @param port read at every request, since it may be known only once the server listens
 */
export const ownHostOnly =
  (port: () => number): MiddlewareHandler<SandboxEnvironment> =>
  async (c, next) => {
    if (!ownHosts(port()).includes(c.req.header('host') ?? '')) {
      return c.text('This server answers to 127.0.0.1 and localhost only.', 421);
    }
    await next();
    return undefined;
  };

/** Answers requests that come from no page at all or from a page of this server. */
export const ownOriginOnly =
  (port: () => number): MiddlewareHandler<SandboxEnvironment> =>
  async (c, next) => {
    const origin = c.req.header('origin');
    if (origin !== undefined && !ownHosts(port()).some((host) => origin === `http://${host}`)) {
      return c.json({ status: 'error', msg: 'Not from another origin' }, 403);
    }
    await next();
    return undefined;
  };

function ownHosts(port: number): readonly string[] {
  return ['127.0.0.1', 'localhost'].map((name) => (port === 80 ? name : `${name}:${String(port)}`));
}
