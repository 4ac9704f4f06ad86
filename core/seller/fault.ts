/**
 * Why a question to a seller API has no answer. A closed union on `kind`: every view words every kind.
 *
 * A fault holds what its reader needs and never a secret: no key, no request body, no address with a query.
 * Moments are epoch milliseconds. Source: design, "Errors"; the API's own error body is spec section 7.
 */
export type Fault =
  /** The machine itself has no network. */
  | { readonly kind: 'offline' }
  /** No connection could be made, or it broke before the reply was whole. */
  | { readonly kind: 'unreachable' }
  /** No whole reply within `afterMs`. Never retried by itself. */
  | { readonly kind: 'timeout'; readonly afterMs: number }
  /** The server said 429, or our own pacing holds the request back; worth asking again at `retryAt`. */
  | { readonly kind: 'rate-limited'; readonly retryAt: number; readonly by: 'server' | 'pacing' }
  /** The API answered `status: "error"` where that is no verdict: `msg` is the server's own text, verbatim. */
  | { readonly kind: 'refused'; readonly msg: string; readonly about: 'key' | 'request' }
  /** A redirect, which is never followed. Its target is hidden, so a browser being turned away is a suspicion until a plain retry answers. */
  | { readonly kind: 'redirected'; readonly userAgent: UserAgentFinding }
  /** HTML with a 404: the API is switched off, or this is not the base address. */
  | { readonly kind: 'api-off' }
  /** Something else than JSON where JSON was due. */
  | { readonly kind: 'not-json'; readonly status: number; readonly userAgent: UserAgentFinding }
  /** JSON, but the field at `path` (dotted, such as `data.purchase.item.id`) cannot be read with certainty. */
  | { readonly kind: 'unreadable'; readonly path: string }
  /** The reply went on beyond `limitBytes` and was cut off. */
  | { readonly kind: 'too-large'; readonly limitBytes: number }
  /** An answer about another code than the one asked about. It is not shown. */
  | { readonly kind: 'mismatch' }
  /** A 5xx that stayed. `retryAt` where the server said when. */
  | { readonly kind: 'server-error'; readonly status: number; readonly retryAt?: number }
  /** The browser has not been allowed to reach this origin. */
  | { readonly kind: 'not-permitted'; readonly origin: string }
  /** The keys are behind a passphrase that has not been given, or the lock timer ran out. */
  | { readonly kind: 'locked' }
  /** There is no key to ask with: never entered, gone with the session, or the material that decrypts it was lost. */
  | {
      readonly kind: 'no-key';
      readonly because: 'never-entered' | 'session-ended' | 'material-lost';
    }
  /** No such connection: none is set up, or it was deleted meanwhile. */
  | { readonly kind: 'no-connection' };

/** What is known of the server turning browsers away by their User-Agent. `confirmed`: the same request with a plain one returned JSON. */
export type UserAgentFinding = 'suspected' | 'confirmed' | 'ruled-out';

export type FaultKind = Fault['kind'];
