import type { TransportFault } from '#core/installation/ports';
import { fail, type Result, succeed } from '#core/result';
import { type RawReply, readRetryAfter } from '#core/marketplaces/exchange';
import { omitUndefined } from '#core/omit-undefined';
import { dayMs } from '#core/time/units';

/** Gives the options of every request: follows no redirect, sends no cookie and no referrer, caches nothing. */
export const privateRequest = {
  redirect: 'manual',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
  cache: 'no-store',
} as const satisfies RequestInit;

type ReplyFault =
  | { readonly kind: 'redirected' }
  | { readonly kind: 'too-large'; readonly limitBytes: number };

/**
 * Reads the whole reply, cut off at its cap while it streams. Rejects when the connection breaks.
 * @param limitBytes of the body, after content decoding
 * @param now returns epoch milliseconds; called once the body is complete
 */
export async function readReply(
  response: Response,
  limitBytes: number,
  now: () => number,
): Promise<Result<RawReply, ReplyFault>> {
  if (isRedirect(response)) {
    await response.body?.cancel();
    return fail({ kind: 'redirected' });
  }
  const body = await readUpTo(limitBytes, response);
  if (body === undefined) return fail({ kind: 'too-large', limitBytes });
  const { status, headers } = response;
  return succeed(
    omitUndefined({
      status,
      body,
      contentType: headers.get('Content-Type') ?? '',
      retryAt: readRetryAfter(headers.get('Retry-After'), now()),
      relayFailure: headers.get('Counterfoil-Relay-Failure') ?? undefined,
      relayCause: headers.get('Counterfoil-Relay-Cause') ?? undefined,
      ageMs: readAge(headers.get('Counterfoil-Relay-Age')),
    }),
  );
}

/** Reads whole seconds as milliseconds, at most a day; undefined when unreadable. */
function readAge(header: string | null): number | undefined {
  return header !== null && /^\d+$/u.test(header)
    ? Math.min(Number(header) * 1000, dayMs)
    : undefined;
}

/** Browsers hide a redirect behind an opaque reply; Node shows it. */
function isRedirect({ type, status, headers }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('Location'));
}

/** Reads a whole body; returns undefined as soon as it exceeds `limit` bytes. */
export async function readUpTo(
  limit: number,
  { body }: Response,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

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
