import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';

/** The variables that every handler of the sandbox finds in its context. */
export interface SandboxEnvironment {
  Bindings: HttpBindings;
  Variables: {
    /** The request's body, read once. */
    body: Uint8Array<ArrayBuffer>;
  };
}

/** One request as it arrived, whole: tests look in it for what must not be there. */
export interface ReceivedRequest {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly method: string;
  /** The value of the `Host` header. */
  readonly host: string;
  readonly path: string;
  /** The query with its question mark; `''` if there is none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RequestLog {
  readonly list: () => readonly ReceivedRequest[];
  readonly clear: () => void;
  readonly add: (request: ReceivedRequest) => void;
}

const keepAtMost = 10_000;

/** Keeps the newest 10,000 requests in memory. */
export function createRequestLog(): RequestLog {
  let requests: ReceivedRequest[] = [];
  return {
    list: () => requests,
    clear: () => {
      requests = [];
    },
    add: (request) => {
      requests.push(request);
      if (requests.length > keepAtMost) requests = requests.slice(-keepAtMost);
    },
  };
}

/**
 * Reads each request's body, for all later handlers too, and logs the request. Requests to the control API are not
 * logged.
 */
export function logging(log: RequestLog, now: () => number): MiddlewareHandler<SandboxEnvironment> {
  return async (c, next) => {
    const body = new Uint8Array(await c.req.arrayBuffer());
    c.set('body', body);
    const url = new URL(c.req.url);
    if (!url.pathname.startsWith('/control/')) {
      log.add({
        at: now(),
        method: c.req.method,
        host: url.host,
        path: url.pathname,
        query: url.search,
        headers: c.req.header(),
        body: new TextDecoder().decode(body),
      });
    }
    await next();
  };
}
