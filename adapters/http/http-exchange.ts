import { readUpTo } from '#adapters/http/read-body';
import type { TransportFault } from '#core/installation/index';
import { fail, type Result, succeed, omitUndefined } from '#core/result';
import {
  gatewayStatuses,
  type RawReply,
  readRetryAfter,
  type SellerRequest,
} from '#core/http/exchange';
import { dayMs, delay } from '#core/time/index';
import type { Fault } from '#core/marketplaces/index';

/** The options of every request: no redirects, no cookies, no referrer, no caching. */
const privateRequest = {
  redirect: 'manual',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
  cache: 'no-store',
} as const satisfies RequestInit;

type ReplyFault =
  | { readonly kind: 'redirected' }
  | { readonly kind: 'too-large'; readonly limitBytes: number };

/**
 * Reads the whole reply, stopping at the limit. Rejects if the connection breaks.
 * @param limitBytes of the body, after content decoding
 * @param now returns epoch milliseconds; called once the body is complete
 */
async function readReply(
  response: Response,
  limitBytes: number,
  now: () => number,
): Promise<Result<RawReply, ReplyFault>> {
  if (isRedirect(response)) {
    await response.body?.cancel();
    return fail({ kind: 'redirected' });
  }
  const pieces = await readUpTo(limitBytes, response);
  if (pieces === undefined) return fail({ kind: 'too-large', limitBytes });
  const { status, headers } = response;
  return succeed(
    omitUndefined({
      status,
      body: joined(pieces),
      contentType: headers.get('Content-Type') ?? '',
      retryAt: readRetryAfter(headers.get('Retry-After'), now()),
      remaining: readNumber(headers.get('X-RateLimit-Remaining')),
      relayFailure: headers.get('Counterfoil-Relay-Failure') ?? undefined,
      relayCause: headers.get('Counterfoil-Relay-Cause') ?? undefined,
      ageMs: readAge(headers.get('Counterfoil-Relay-Age')),
    }),
  );
}

/** Reads whole seconds as milliseconds, at most a day; undefined if unreadable. */
function readAge(header: string | null): number | undefined {
  const seconds = readNumber(header);
  return seconds === undefined ? undefined : Math.min(seconds * 1000, dayMs);
}

function readNumber(header: string | null): number | undefined {
  return header !== null && /^\d+$/u.test(header) ? Number(header) : undefined;
}

/** Browsers return an opaque reply for a redirect; Node returns the redirect itself. */
function isRedirect({ type, status, headers }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('Location'));
}

/** Spreading thousands of chunks into one call would overflow the stack. */
function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The default limit: room for a certificate of 64 KiB and the JSON around it. */
const replyLimitBytes = 128 * 1024;
const replyTimeoutMs = 10_000;

/** The parts of the runtime that a JSON call to an authority or a relay needs. */
export interface ExchangeDependencies {
  readonly fetch: typeof fetch;
  /** Returns `navigator.onLine`; called only after a failure. */
  readonly isOnline: () => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** For the whole exchange, up to the last byte of the reply; ten seconds by default. */
  readonly timeoutMs?: number;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** The limit of the reply's body, in bytes; 128 KiB by default. */
  readonly limitBytes?: number;
}

/**
 * Sends one JSON request and returns the whole reply, whatever its status. Follows no redirects, sends no cookies and
 * no referrer, caches nothing, never retries. Stops reading a reply at its limit. Faults: `offline`, `unreachable`,
 * `timeout`, `redirected`, `too-large`.
 */
export async function exchange(
  { method, url, headers, body, limitBytes = replyLimitBytes }: Call,
  { fetch, isOnline, now, timeoutMs = replyTimeoutMs }: ExchangeDependencies,
): Promise<Result<RawReply, TransportFault>> {
  const stop = new AbortController();
  const timer = setTimeout(() => {
    stop.abort();
  }, timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        Accept: 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: stop.signal,
      ...privateRequest,
    });
    return await readReply(response, limitBytes, now);
  } catch {
    if (stop.signal.aborted) return fail({ kind: 'timeout', afterMs: timeoutMs });
    return fail({ kind: isOnline() ? 'unreachable' : 'offline' });
  } finally {
    clearTimeout(timer);
    // Aborts a reply that is still streaming.
    stop.abort();
  }
}

/**
 * A User-Agent that is not a browser's, so that no deployment refuses it. Used if a connection or a retry requires it.
 */
export const plainUserAgent = 'Counterfoil';

interface SellerHttpDependencies {
  readonly fetch: typeof fetch;
  /** Returns `navigator.onLine`; called only after a failure, since loopback works without a network. */
  readonly isOnline: () => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Whether `fetch` can set `User-Agent` itself (Firefox). Otherwise a browser rule sets it. */
  readonly setsUserAgent: boolean;
  /** Milliseconds before each retry. */
  readonly retryDelays?: readonly number[];
}

export interface SendOptions {
  /** Epoch milliseconds; shortens the request's own timeout if that would end later. */
  readonly deadline?: number;
  readonly plainUserAgent?: boolean;
}

/** Sends one request and returns the whole reply, whatever its status. */
export type SellerHttp = (
  request: SellerRequest,
  options?: SendOptions,
) => Promise<Result<RawReply, Fault>>;

/**
 * Creates the HTTP client of the seller API. It follows no redirects, sends no cookies and no referrer, and caches
 * nothing; it stops reading a reply at its limit. The timeout covers everything up to the last byte, including retries.
 *
 * Retries broken connections and 502, 503, 504 twice. A reply with `Retry-After` is returned at once, because the page
 * shows that wait. Faults: `offline`, `unreachable`, `timeout`, `redirected` (user agent `suspected`), `too-large`.
 */
export function createSellerHttp(dependencies: SellerHttpDependencies): SellerHttp {
  const { now, retryDelays = [300, 900] } = dependencies;
  return async (request, options = {}) => {
    const remainingMs = (options.deadline ?? Number.POSITIVE_INFINITY) - now();
    const afterMs = Math.max(0, Math.min(request.timeoutMs, remainingMs));
    const stop = new AbortController();
    const timer = setTimeout(() => {
      stop.abort();
    }, afterMs);
    try {
      for (const delayMs of [...retryDelays, undefined]) {
        const outcome = await attempt(dependencies, request, options, stop.signal);
        if (stop.signal.aborted) break;
        if (delayMs === undefined || !isWorthRetrying(outcome)) return outcome;
        await delay(delayMs, stop.signal);
      }
      return fail({ kind: 'timeout', afterMs });
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  };
}

function isWorthRetrying(outcome: Result<RawReply, Fault>): boolean {
  if (!outcome.ok) return outcome.fault.kind === 'unreachable';
  const { status, retryAt } = outcome.value;
  return retryAt === undefined && gatewayStatuses.has(status);
}

async function attempt(
  { fetch, isOnline, now, setsUserAgent }: SellerHttpDependencies,
  request: SellerRequest,
  options: SendOptions,
  signal: AbortSignal,
): Promise<Result<RawReply, Fault>> {
  const named = setsUserAgent && options.plainUserAgent === true;
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: named ? { ...request.headers, 'User-Agent': plainUserAgent } : request.headers,
      ...bodyOf(request),
      signal,
      ...privateRequest,
    });
    const reply = await readReply(response, request.maxBytes, now);
    if (reply.ok) return reply;
    const { fault } = reply;
    // The browser hides the redirect's target, so a rejected User-Agent can only be suspected.
    return fail(fault.kind === 'redirected' ? { ...fault, userAgent: 'suspected' } : fault);
  } catch {
    return fail({ kind: isOnline() ? 'unreachable' : 'offline' });
  }
}

function bodyOf({ body }: SellerRequest): { body?: string | FormData } {
  if (body === undefined) return {};
  if (body.type === 'text') return { body: body.text };
  const form = new FormData();
  for (const [name, value] of body.fields) form.append(name, value);
  return { body: form };
}
