import type { Context, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { bodyLimit } from 'hono/body-limit';
import { fail, type Result, succeed } from '#core/result';
import * as v from 'valibot';

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

/** Room for a license of 16 KiB and all else. */
const maxBytes = 32 * 1024;

/** Refuses requests beyond 32 KiB, declared or streamed. */
export const cappedBody: MiddlewareHandler = bodyLimit({
  maxSize: maxBytes,
  onError: (c) =>
    c.json({ status: 'error', msg: `The body is larger than ${String(maxBytes)} bytes.` }, 413),
});

/** Reads the body by the schema; else returns the 415 or 422 that names the problem. */
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
  return read.success ? succeed(read.output) : refuse(describe(read.issues[0]), 422);
}

function describe(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  if (path === null) return issue.message;
  return issue.input === undefined ? `${path}: is missing` : `${path}: ${issue.message}`;
}
