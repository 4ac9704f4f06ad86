/** Why the relay itself gives no answer. A seller's answer, even an error, is never one of these. */
export type FailureKind = keyof typeof statuses;

const statuses = {
  /** A one-time code was used, has expired, or never existed; not an answer to a seller call. */
  'code-unknown': 400,
  /** The body has an unsupported type, or does not match its type. */
  'request-unreadable': 400,
  /** The requested month does not exist or is in the future. */
  'no-such-month': 400,
  'token-missing': 401,
  /** The token was in the path, the query or the body, where logs may have stored it. */
  'token-misplaced': 401,
  'token-unknown': 401,
  'token-expired': 401,
  'token-revoked': 401,
  /** No marketplace has requests with this path. */
  'not-a-seller-call': 403,
  'no-such-connection': 403,
  'not-for-role': 403,
  'request-too-large': 403,
  /** All slots of the upstream's rate limit, or all memory for replies, are taken. */
  pace: 429,
  /** The agent has used up the daily quota. */
  quota: 429,
  /** The upstream answered 429. */
  'upstream-rate-limited': 429,
  'upstream-unreachable': 502,
  'upstream-redirected': 502,
  'upstream-too-large': 502,
  /** The reply has an encoding that was not requested, or an invalid status. */
  'upstream-unreadable': 502,
  /** The reply contained the API key, in any spelling. */
  'upstream-echoed-key': 502,
  /** The upstream's name resolves to a private address. */
  'upstream-not-allowed': 502,
  /** Several calls failed; the next one is made later. */
  'upstream-paused': 503,
  'no-key': 503,
  'store-unavailable': 503,
  /** The event loop stalled until the slot's end; nothing was sent. */
  'slot-missed': 503,
  /** The upstream did not answer in time, to this instance or another one that asked the same. */
  'upstream-timeout': 504,
} as const;

/** A failure of the relay. Moments in epoch milliseconds. */
export interface Failure {
  readonly kind: FailureKind;
  /** When to retry. */
  readonly retryAt?: number;
  /** Why an upstream cannot be reached. */
  readonly cause?: UnreachableCause;
}

/** Why an upstream cannot be reached. `broken`: the connection ended before the reply was whole, or for any other reason. */
interface UnreachableCause {
  readonly what: 'name' | 'refused' | 'certificate' | 'timeout' | 'broken';
  /** Node's code for the failure, such as `ENOTFOUND`; `''` if it has none. */
  readonly code: string;
}

/** The header that marks a failure of the relay; an upstream's headers are never passed on. */
export const failureHeader = 'Counterfoil-Relay-Failure';
const readableBodies =
  'Send the parameters as application/x-www-form-urlencoded, application/json (an object) or multipart/form-data; nothing was asked.';

/**
 * Writes a failure in the relay's own form. Its body has no `status`, `msg`, `data`, `item` or `items`, so that no reader takes it for a
 * seller's reply. For a role that may see it, a header gives the reason why a seller cannot be reached.
 */
export function failureReply({ kind, cause }: Failure): {
  readonly status: (typeof statuses)[FailureKind];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const detail = kind === 'request-unreadable' ? { detail: readableBodies } : {};
  return {
    status: statuses[kind],
    headers: {
      [failureHeader]: kind,
      ...(cause === undefined ? {} : { 'Counterfoil-Relay-Cause': cause.what }),
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ counterfoil_relay: { version: 1, failure: kind, ...detail, cause } }),
  };
}
