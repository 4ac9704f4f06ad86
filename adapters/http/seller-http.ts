import { discreet, readReply } from '#adapters/http/raw-reply';
import { type Result, fail } from '#core/result';
import type { RawReply, SellerRequest } from '#core/seller/exchange';
import type { Fault } from '#core/seller/fault';
import { delay } from '#core/time/delay';

/** Names no browser, so no deployment turns it away. Sent where a connection or a retry asks for it. */
export const plainUserAgent = 'Counterfoil';

interface SellerHttpDependencies {
  readonly fetch: typeof fetch;
  /** What the machine says of its own network; asked only after a failure, for loopback works without one. */
  readonly isOnline: () => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Whether `fetch` may set `User-Agent` itself (Firefox). Elsewhere a rule of the browser does it. */
  readonly setsUserAgent: boolean;
  /** Milliseconds before each retry. */
  readonly retryDelays?: readonly number[];
}

export interface SendOptions {
  /** Epoch milliseconds; shortens the request's own timeout where that would end later. */
  readonly deadline?: number;
  readonly plainUserAgent?: boolean;
}

/** Sends one request and gives the whole reply, whatever it says. */
export type SellerHttp = (
  request: SellerRequest,
  options?: SendOptions,
) => Promise<Result<RawReply, Fault>>;

/**
 * No redirect is followed, no cookie sent, no referrer told, nothing cached; the reply is cut off at its cap while it
 * streams. The timeout covers everything up to the last byte, retries included, and is itself never retried.
 *
 * Broken connections and 502, 503, 504 are tried twice more, unless the server said when to come back: that wait is
 * for the asking page to show, so such a reply is handed on as it came.
 * Faults: `offline`, `unreachable`, `timeout`, `redirected` (user agent `suspected`), `too-large`.
 */
export function createSellerHttp(outside: SellerHttpDependencies): SellerHttp {
  const { now, retryDelays = [300, 900] } = outside;
  return async (request, options = {}) => {
    const left = (options.deadline ?? Number.POSITIVE_INFINITY) - now();
    const afterMs = Math.max(0, Math.min(request.timeoutMs, left));
    const stop = new AbortController();
    const timer = setTimeout(() => {
      stop.abort();
    }, afterMs);
    try {
      for (const pause of [...retryDelays, undefined]) {
        const outcome = await attempt(outside, request, options, stop.signal);
        if (stop.signal.aborted) break;
        if (pause === undefined || !isWorthRetrying(outcome)) return outcome;
        await delay(pause, stop.signal);
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
  return retryAt === undefined && (status === 502 || status === 503 || status === 504);
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
      ...discreet,
    });
    const reply = await readReply(response, request.maxBytes, now);
    if (reply.ok) return reply;
    const { fault } = reply;
    // The target is hidden, so a browser being turned away is a suspicion.
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
