import type { Context, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';

/** Reads the token of an `Authorization: Bearer` header. */
export function bearerOf(c: Context): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
}

/**
 * Refuses requests whose `Host` is not loopback: a web page that pointed its own host name at 127.0.0.1 sends that name.
 */
export const loopbackOnly: MiddlewareHandler = createMiddleware(async (c, next) => {
  const host = c.req.header('Host') ?? new URL(c.req.url).host;
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host)) {
    return c.json({ status: 'error', msg: 'This server answers on loopback only.' }, 421);
  }
  await next();
});

/** Admits requests from no page, from this server's own pages and from extensions. */
export const knownOrigin: MiddlewareHandler = createMiddleware(async (c, next) => {
  const origin = c.req.header('Origin');
  const own = `http://${c.req.header('Host') ?? ''}`;
  if (origin !== undefined && origin !== own && !/^[a-z]+-extension:\/\//.test(origin)) {
    return c.json({ status: 'error', msg: 'Not from this page.' }, 403);
  }
  await next();
});
