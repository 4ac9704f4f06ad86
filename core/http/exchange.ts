import { dayMs } from '#core/time/index';

/** One request to a seller API. It holds the API key, so it stays in the worker and is never logged. */
export interface SellerRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `multipart` fields become a form body; the runtime chooses its boundary. */
  readonly body?:
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'multipart'; readonly fields: readonly (readonly [string, string])[] };
  /** The time allowed until the last byte of the reply. */
  readonly timeoutMs: number;
  /** The reply is cut off beyond this size, in bytes after content decoding. */
  readonly maxBytes: number;
}

/** A complete reply whose content is not validated yet. Redirects and broken connections are faults instead. */
export interface RawReply {
  readonly status: number;
  /** The `Content-Type` header; `''` if there is none. */
  readonly contentType: string;
  readonly body: Uint8Array;
  /** From `Retry-After` (seconds or a date), epoch milliseconds. */
  readonly retryAt?: number;
  /** From `X-RateLimit-Remaining`: how many more requests the server accepts in its present window. */
  readonly remaining?: number;
  /**
   * From `Counterfoil-Relay-Failure`: why a team's relay gave no answer. Means nothing on a connection without a relay.
   */
  readonly relayFailure?: string;
  /**
   * From `Counterfoil-Relay-Cause`: why the relay cannot reach the seller. Means nothing on a connection without a
   * relay.
   */
  readonly relayCause?: string;
  /**
   * From `Counterfoil-Relay-Age`, which a team's relay adds to each reply that it passes on: the reply's age in its
   * cache, in milliseconds. Means nothing on a connection without a relay.
   */
  readonly ageMs?: number;
}

/**
 * Reads `Retry-After`, whole seconds or an HTTP date (RFC 9110, 10.2.3), as epoch milliseconds; undefined if
 * unreadable. The result is never before `now`, and at most a day after it, so that a wrong header blocks nobody for
 * longer.
 */
export function readRetryAfter(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const sent = Number(text) * 1000;
  // Only text with a time is parsed as a date, because browsers parse `-5` as a date too.
  const date = text.includes(':') ? Date.parse(text) : NaN;
  // More than a year in seconds must be an absolute time.
  const at = /^\d+$/u.test(text) ? (sent > 365 * dayMs ? sent : now + sent) : date;
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at, now), now + dayMs);
}

const trouble = /\b(?:later|went wrong|maintenance|unavailable|too many|server error)\b/i;

/** Tells whether an error message is about the server's own trouble, and so says nothing about the question. */
export function isServerTrouble(msg: string): boolean {
  return trouble.test(msg);
}

/** The statuses that gateways send, with any body, when they could not reach the server. */
export const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
