import { privateRequest, readReply } from '#adapters/http/raw-reply';
import type { TransportFault } from '#core/installation/ports';
import { fail, type Result } from '#core/result';
import type { RawReply } from '#core/marketplaces/exchange';

/** A certificate of at most 64 KiB and the JSON around it. */
const replyLimitBytes = 128 * 1024;
const replyTimeoutMs = 10_000;

/** Provides the parts of the runtime that a JSON call to an authority needs. */
export interface ExchangeDependencies {
  readonly fetch: typeof fetch;
  /** Returns `navigator.onLine`; called only after a failure. */
  readonly isOnline: () => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** For the whole exchange, up to the last byte of the reply; default ten seconds. */
  readonly timeoutMs?: number;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Of the reply; default 128 KiB. */
  readonly limitBytes?: number;
}

/**
 * Sends one JSON request and returns the whole reply, whatever its status. Follows no redirect, sends no cookie and no
 * referrer, caches nothing, never retries. A reply over its limit is cut off while it streams.
 * Faults: `offline`, `unreachable`, `timeout`, `redirected`, `too-large`.
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
    // Ends a reply that is still streaming.
    stop.abort();
  }
}
