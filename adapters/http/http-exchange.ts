import { discreet, readReply } from '#adapters/http/raw-reply';
import type { TransportFault } from '#core/installation/ports';
import type { Result } from '#core/result';
import { fail } from '#core/result';
import type { RawReply } from '#core/seller/exchange';

/** Room for a certificate at its cap of 64 KiB and all that stands around it. */
const REPLY_LIMIT_BYTES = 128 * 1024;
const TIMEOUT_MS = 10_000;

/** What a JSON call to an authority needs from the runtime. */
export interface ExchangeDependencies {
  readonly fetch: typeof fetch;
  /** What the machine says of its own network; asked only after a failure. */
  readonly isOnline: () => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Until the last byte of the reply; ten seconds unless told. */
  readonly timeoutMs?: number;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

/**
 * One JSON request and its whole reply, whatever it says. No redirect is followed, no cookie sent, no referrer told, nothing
 * cached; the reply is cut off at its cap while it streams. Nothing is tried twice.
 */
export async function exchange(
  { method, url, headers, body }: Call,
  { fetch, isOnline, now, timeoutMs = TIMEOUT_MS }: ExchangeDependencies,
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
      ...discreet,
    });
    return await readReply(response, REPLY_LIMIT_BYTES, now);
  } catch {
    if (stop.signal.aborted) return fail({ kind: 'timeout', afterMs: timeoutMs });
    return fail({ kind: isOnline() ? 'unreachable' : 'offline' });
  } finally {
    clearTimeout(timer);
    // Whatever is still on its way is not waited for.
    stop.abort();
  }
}
