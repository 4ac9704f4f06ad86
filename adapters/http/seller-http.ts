import { privateRequest, readReply } from '#adapters/http/http-exchange';
import { type Result, fail } from '#core/result';
import type { RawReply, SellerRequest } from '#core/marketplaces/exchange';
import type { Fault } from '#core/marketplaces/fault';
import { delay } from '#core/time/delay';

/** Names no browser, so that no deployment refuses it. Sent where a connection or a retry asks for it. */
export const plainUserAgent = 'Counterfoil';

interface SellerHttpDependencies {
  readonly fetch: typeof fetch;
  /** Returns `navigator.onLine`; called only after a failure, since loopback works without a network. */
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

/** Sends one request and returns the whole reply, whatever its status. */
export type SellerHttp = (
  request: SellerRequest,
  options?: SendOptions,
) => Promise<Result<RawReply, Fault>>;

/**
 * Creates the HTTP client of the seller API. It follows no redirect, sends no cookie and no referrer, and caches nothing;
 * a reply over its cap is cut off while it streams. The timeout covers everything up to the last byte, retries included.
 *
 * Retries broken connections and 502, 503, 504 twice. A reply with `Retry-After` is returned at once: the page shows that wait.
 * Faults: `offline`, `unreachable`, `timeout`, `redirected` (user agent `suspected`), `too-large`.
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
      ...privateRequest,
    });
    const reply = await readReply(response, request.maxBytes, now);
    if (reply.ok) return reply;
    const { fault } = reply;
    // The browser hides the redirect's target, so a refused User-Agent can only be suspected.
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
