import { setTimeout as sleep } from 'node:timers/promises';

import type { Context, MiddlewareHandler, Next } from 'hono';
import * as v from 'valibot';

import { type JsonObject, type JsonValue, parseJson } from '#core/encoding/index';
import { isRecord } from '#core/record';
import type { FaultQueue } from '#sandbox/fault-queue';
import { type MarketplaceBase, marketplaceBases } from '#sandbox/marketplaces/emulation';
import { frameworkPage } from '#sandbox/pages/layout';
import {
  type Base,
  bases,
  type Endpoint,
  endpointAt,
  endpoints,
  mapMembers,
} from '#sandbox/seller/deployments';
import type { SandboxEnvironment } from '#sandbox/seller/request-log';
import { tooManyRequests } from '#sandbox/seller/seller-api';

const common = {
  base: v.picklist([...bases, ...marketplaceBases]),
  /** Limits the fault to this endpoint; without it, any of the four. */
  endpoint: v.optional(v.picklist(endpoints)),
  /** Number of requests to inject it into. */
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
};

const wait = v.pipe(v.number(), v.minValue(0), v.maxValue(600_000));

/** A fault to inject. The command ends after `times` requests. */
export const faultCommand = v.variant('fault', [
  /** Sends the right answer `ms` later. */
  v.strictObject({ ...common, fault: v.literal('latency'), ms: v.optional(wait, 2_000) }),
  /** Keeps the connection open and sends nothing. */
  v.strictObject({ ...common, fault: v.literal('silence') }),
  v.strictObject({ ...common, fault: v.literal('reset') }),
  v.strictObject({ ...common, fault: v.literal('html-500') }),
  /** Answers as a gateway does that wants to see a browser: 403 and a page, which says nothing of the key. */
  v.strictObject({ ...common, fault: v.literal('challenge-403') }),
  /** `retryAfter` in seconds, or a date as HTTP writes it; null leaves the header out. */
  v.strictObject({
    ...common,
    fault: v.literal('busy-503'),
    retryAfter: v.optional(v.nullable(v.union([v.number(), v.string()])), 2),
  }),
  /** The marketplace's rate limit, in its own form. `retryAfter` in seconds. */
  v.strictObject({
    ...common,
    fault: v.literal('too-many-429'),
    retryAfter: v.optional(v.pipe(v.number(), v.minValue(0)), 5),
  }),
  /** Sends a complete reply with half of the JSON. */
  v.strictObject({ ...common, fault: v.literal('truncated') }),
  /** Breaks the connection in the middle of the body. */
  v.strictObject({ ...common, fault: v.literal('cut-off') }),
  /** Wraps every number and boolean in a list. */
  v.strictObject({ ...common, fault: v.literal('wrong-types') }),
  /** Sends a valid start of JSON that never ends. */
  v.strictObject({ ...common, fault: v.literal('endless') }),
  /** Redirects to `to`, else to this server under its other host name, which is another origin. */
  v.strictObject({
    ...common,
    fault: v.literal('redirect'),
    to: v.optional(v.pipe(v.string(), v.url())),
    status: v.optional(v.picklist([301, 302, 303, 307, 308]), 307),
  }),
  /** Answers in the right shape, about the purchase code `code`. */
  v.strictObject({
    ...common,
    fault: v.literal('other-code'),
    code: v.optional(v.string(), '00000000-0000-4000-8000-000000000000'),
  }),
]);

export type FaultCommand = v.InferOutput<typeof faultCommand>;

/** A fault command as the control API takes it: fields with a default may be absent. */
export type FaultRequest = v.InferInput<typeof faultCommand>;

export type PendingFaults = FaultQueue<FaultCommand>;

/** Takes the oldest fault for a request to an endpoint of a base address. */
export function takeFault(
  faults: PendingFaults,
  base: Base | MarketplaceBase,
  endpoint: Endpoint,
): FaultCommand | undefined {
  return faults.take((one) => one.base === base && (one.endpoint ?? endpoint) === endpoint);
}

type C = Context<SandboxEnvironment>;

const challengePage =
  '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title></head><body><noscript>Enable JavaScript and cookies to continue</noscript></body></html>';

/** Injects the pending faults of this base address into its requests. */
export function injectFaults(
  base: Base,
  faults: PendingFaults,
): MiddlewareHandler<SandboxEnvironment> {
  return async (c, next) => {
    const endpoint = endpointAt(c.req.path.slice(base.length));
    const command = endpoint && takeFault(faults, base, endpoint);
    if (command === undefined) {
      await next();
      return undefined;
    }
    return injectFault(c, next, command);
  };
}

/** Answers a request with one fault, or changes the answer that it gets. */
export async function injectFault(
  c: C,
  next: Next,
  command: FaultCommand,
): Promise<Response | undefined> {
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
    case 'challenge-403':
      return c.html(challengePage, 403, { server: 'cloudflare', 'cf-mitigated': 'challenge' });
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
  const reply = parseJson(text.slice(start)) as JsonValue | undefined;
  return isRecord(reply) ? text.slice(0, start) + JSON.stringify(change(reply)) : text;
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
