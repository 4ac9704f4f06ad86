import { createHash, timingSafeEqual } from 'node:crypto';

import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import * as v from 'valibot';

import { fail, type Result, succeed } from '#core/result';

/**
 * Refuses requests whose `Host` is not loopback, such as those of a web page that pointed its own host name at
 * 127.0.0.1.
 */
export const loopbackOnly: MiddlewareHandler = createMiddleware(async (c, next) => {
  const host = c.req.header('Host') ?? new URL(c.req.url).host;
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host)) {
    return c.json({ status: 'error', msg: 'This server answers on loopback only.' }, 421);
  }
  await next();
});

/**
 * Admits requests to a control API: from no page, from this server's own pages and from extensions, with its token as a
 * bearer.
 */
export function controlOnly(token: string): MiddlewareHandler {
  return createMiddleware(async (c, next) => {
    const origin = c.req.header('Origin');
    const own = `http://${c.req.header('Host') ?? ''}`;
    if (origin !== undefined && origin !== own && !/^[a-z]+-extension:\/\//.test(origin)) {
      return c.json({ status: 'error', msg: 'Not from this page.' }, 403);
    }
    if (!sameSecret(bearerOf(c) ?? '', token)) {
      return c.json({ status: 'error', msg: 'The control token is needed.' }, 401);
    }
    await next();
  });
}

/** Reads the token of an `Authorization: Bearer` header. */
export function bearerOf(c: Context): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
}

/** Compares two secrets in constant time. */
export function sameSecret(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Room for a license of 16 KiB and everything else. */
const maxBytes = 32 * 1024;

/** Refuses requests beyond 32 KiB, declared or streamed. */
export const cappedBody: MiddlewareHandler = bodyLimit({
  maxSize: maxBytes,
  onError: (c) =>
    c.json({ status: 'error', msg: `The body is larger than ${String(maxBytes)} bytes.` }, 413),
});

/** Reads the body by the schema, or returns a 415 or 422 that names the problem. */
export async function readJsonBody<Schema extends v.GenericSchema>(
  c: Context,
  schema: Schema,
): Promise<Result<v.InferOutput<Schema>, Response>> {
  const refuse = (msg: string, status: 415 | 422): Result<never, Response> =>
    fail(c.json({ status: 'error', msg }, status));

  const [type = '', ...parameters] = (c.req.header('Content-Type') ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') return refuse('Content-Type must be application/json.', 415);
  if (parameters.some((one) => one.startsWith('charset=') && !/^charset="?utf-?8"?$/.test(one))) {
    return refuse('The body must be in UTF-8.', 415);
  }

  const bytes = await c.req.arrayBuffer();
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return refuse('The body is not JSON in UTF-8.', 422);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refuse('The body must be a JSON object.', 422);
  }
  const read = v.safeParse(schema, body, { abortPipeEarly: true });
  return read.success ? succeed(read.output) : refuse(faultOf(read.issues[0]), 422);
}

/** Describes in a sentence the first issue that a schema has with a body. */
export function faultOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  if (path === null) return issue.message;
  return issue.input === undefined ? `${path}: is missing` : `${path}: ${issue.message}`;
}
