/**
 * Why a request to a seller API has no answer. The union is closed: every view has a message for each kind.
 *
 * A fault holds no secret: no key, no request body, no address with a query. Moments are epoch milliseconds. Spec
 * section 7 describes the API's error body.
 */
export type Fault =
  /** This computer has no network. */
  | { readonly kind: 'offline' }
  /** No connection could be made, or it broke before the reply was whole. */
  | { readonly kind: 'unreachable' }
  /** No complete reply came within `afterMs`. It is not retried automatically. */
  | { readonly kind: 'timeout'; readonly afterMs: number }
  /**
   * The server or the team's relay answered 429, or the local rate limit holds the request back. It can be retried at
   * `retryAt`.
   */
  | {
      readonly kind: 'rate-limited';
      readonly retryAt: number;
      /** `quota`: the relay's daily limit for this agent. */
      readonly by: 'server' | 'pacing' | 'relay' | 'quota';
      /** The progress of a search among the account's items; the next check of the same code continues from there. */
      readonly search?: { readonly asked: number; readonly of: number };
    }
  /** The API refused the request. `msg` is the server's own text. */
  | {
      readonly kind: 'refused';
      readonly msg: string;
      readonly about: 'key' | 'request';
      /** The permission that the key lacks, as the marketplace's own page calls it. */
      readonly permission?: string;
    }
  /** The server redirected; redirects are never followed. `userAgent`: whether it blocks browsers. */
  | { readonly kind: 'redirected'; readonly userAgent: UserAgentFinding }
  /** HTML with status 404: the API is switched off, or the base address is wrong. */
  | { readonly kind: 'api-off' }
  | { readonly kind: 'not-json'; readonly status: number; readonly userAgent: UserAgentFinding }
  /** The field at `path` (dotted, such as `data.purchase.item.id`) cannot be read with certainty. */
  | { readonly kind: 'unreadable'; readonly path: string }
  /** The reply was longer than `limitBytes` and was cut off. */
  | { readonly kind: 'too-large'; readonly limitBytes: number }
  /** The answer is about another code or item than requested. It is not shown. */
  | { readonly kind: 'mismatch' }
  /** The server answered 5xx, after the retries. `retryAt` comes from the server. */
  | { readonly kind: 'server-error'; readonly status: number; readonly retryAt?: number }
  /** The browser has no permission for this origin. */
  | { readonly kind: 'not-permitted'; readonly origin: string }
  /** The keys are locked by a passphrase. */
  | { readonly kind: 'locked' }
  | {
      readonly kind: 'no-key';
      readonly reason: 'never-entered' | 'session-ended' | 'material-lost' | 'key-storage-demanded';
    }
  /** The connection does not exist, or was deleted in the meantime. */
  | { readonly kind: 'no-connection' }
  | RelayFault;

/** Why a team's relay gave no answer. It says nothing about the seller, a key or a code. */
export type RelayFault =
  /** The relay no longer accepts the agent's token: the agent must sign in again. */
  | { readonly kind: 'relay-sign-in'; readonly reason: 'expired' | 'revoked' | 'unknown' }
  /** The relay does not allow this request. `role`: the connection is for other roles. */
  | { readonly kind: 'relay-refused'; readonly reason?: 'role' }
  /** The relay got no answer from the seller that it could pass on. */
  | {
      readonly kind: 'relay-upstream';
      readonly reason: 'unreachable' | 'unusable';
      /** Why it is unreachable; the relay reports this only to roles that may see the report. */
      readonly cause?: UnreachableCause;
      readonly retryAt?: number;
    }
  /** The relay itself cannot answer now. `no-key`: it holds no API key for this connection. */
  | {
      readonly kind: 'relay-unavailable';
      readonly reason: 'no-key' | 'outage';
      readonly retryAt?: number;
    };

/** Why a relay cannot reach a seller. `broken`: the connection ended before the reply was whole. */
export type UnreachableCause = 'name' | 'refused' | 'certificate' | 'timeout' | 'broken';

/**
 * Whether the server blocks browsers by their User-Agent. `confirmed`: the same request with a plain User-Agent
 * returned JSON.
 */
export type UserAgentFinding = 'suspected' | 'confirmed' | 'ruled-out';

/** Returns the progress of a search among the seller's items; undefined if the fault is not from a search. */
export function searchIn(
  fault: Fault | undefined,
): { readonly asked: number; readonly of: number } | undefined {
  return fault?.kind === 'rate-limited' ? fault.search : undefined;
}
