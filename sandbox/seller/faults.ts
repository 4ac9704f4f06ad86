import { setTimeout as sleep } from 'node:timers/promises';

import type { Context, MiddlewareHandler, Next } from 'hono';

import type { Base } from '#sandbox/seller/deployments';
import { endpointAt } from '#sandbox/endpoint';
import type { SandboxEnvironment } from '#sandbox/environment';
import type { FaultCommand, PendingFaults } from '#sandbox/seller/fault-commands';
import { isObject, type JsonObject, mapMembers, parseJson } from '#sandbox/json';
import { frameworkPage } from '#sandbox/pages/framework';
import { tooManyRequests } from '#sandbox/seller/too-many-requests';

type C = Context<SandboxEnvironment>;

/** Injects the pending faults of this base address into its requests. */
export function injectFaults(
  base: Base,
  faults: PendingFaults,
): MiddlewareHandler<SandboxEnvironment> {
  return async (c, next) => {
    const endpoint = endpointAt(c.req.path.slice(base.length));
    const command = endpoint && faults.take(base, endpoint);
    if (command === undefined) {
      await next();
      return undefined;
    }
    return injectFault(c, next, command);
  };
}

async function injectFault(c: C, next: Next, command: FaultCommand): Promise<Response | undefined> {
  switch (command.fault) {
    case 'latency':
      await sleep(command.ms, undefined, { ref: false });
      await next();
      return undefined;
    case 'silence':
      return new Promise<never>(() => undefined);
    case 'reset':
      c.env.incoming.socket.resetAndDestroy();
      return new Promise<never>(() => undefined);
    case 'html-500':
      return c.html(frameworkPage(500), 500);
    case 'busy-503':
      return c.text(
        'Be right back.',
        503,
        command.retryAfter === null ? {} : { 'retry-after': String(command.retryAfter) },
      );
    case 'too-many-429':
      return tooManyRequests(c, command.retryAfter);
    case 'redirect':
      return c.redirect(command.to ?? otherOrigin(c), command.status);
    case 'endless':
      return c.body(endlessBody(), 200, { 'content-type': 'application/json' });
    case 'truncated':
      return replaced(c, next, (text) => ({ body: text.slice(0, Math.floor(text.length / 2)) }));
    case 'cut-off':
      return replaced(c, next, (text) => halfBody(c, text));
    case 'wrong-types':
      return replaced(c, next, (text) => ({ body: rewritten(text, wrongTypes) }));
    case 'other-code':
      return replaced(c, next, (text) => ({ body: rewritten(text, aboutCode(command.code)) }));
  }
}

interface Replacement {
  readonly body: string | ReadableStream<Uint8Array>;
  readonly length?: number;
}

/** Replaces the body of the real reply; status and content type stay. */
async function replaced(
  c: C,
  next: Next,
  replace: (text: string) => Replacement,
): Promise<undefined> {
  await next();
  const { status } = c.res;
  const headers = new Headers({ 'content-type': c.res.headers.get('content-type') ?? '' });
  const { body, length } = replace(await c.res.text());
  if (length !== undefined) headers.set('content-length', String(length));
  // Assigned over another response, Hono would carry that one's headers along.
  c.res = undefined;
  c.res = new Response(body, { status, headers });
  return undefined;
}

function rewritten(text: string, change: (reply: JsonObject) => JsonObject): string {
  const start = Math.max(0, text.indexOf('{'));
  const reply = parseJson(text.slice(start));
  return isObject(reply) ? text.slice(0, start) + JSON.stringify(change(reply)) : text;
}

const wrongTypes = (reply: JsonObject): JsonObject =>
  mapMembers(reply, (_name, value) =>
    typeof value === 'number' || typeof value === 'boolean' ? [value] : value,
  );

const aboutCode =
  (code: string) =>
  (reply: JsonObject): JsonObject =>
    mapMembers(reply, (name, value) => (name === 'purchase_code' ? code : value));

/** Promises the whole text, sends half of it and hangs up. */
function halfBody(c: C, text: string): Replacement {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2)));
    },
    pull: () => {
      setImmediate(() => {
        c.env.incoming.socket.destroySoon();
      });
      return new Promise<never>(() => undefined);
    },
  });
  return { body, length: bytes.length };
}

function endlessBody(): ReadableStream<Uint8Array> {
  const chunk = new TextEncoder().encode('a'.repeat(65_536));
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"status":"success","data":{"filler":"'));
    },
    pull: (controller) => {
      controller.enqueue(chunk);
    },
  });
}

/** Returns this URL under the server's other host name, which is another origin to a browser. */
function otherOrigin(c: C): string {
  const url = new URL(c.req.url);
  url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  return url.href;
}
