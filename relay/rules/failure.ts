/** Why the relay itself gives no answer. A seller's answer, an error too, is never one of these. */
export type FailureKind = keyof typeof statuses;

const statuses = {
  /** A one-time code was used, has expired, or never was one; no answer to a seller call. */
  'code-unknown': 400,
  /** The body is of a type that is not read, or is not what its type says. */
  'request-unreadable': 400,
  /** The month that was asked for does not exist or lies in the future. */
  'no-such-month': 400,
  'token-missing': 401,
  /** The token stood in the path, the query or the body, where logs may have kept it. */
  'token-misplaced': 401,
  'token-unknown': 401,
  'token-expired': 401,
  'token-revoked': 401,
  /** The path is none of those that a marketplace's requests have. */
  'not-a-seller-call': 403,
  'no-such-connection': 403,
  'not-for-role': 403,
  'request-too-large': 403,
  /** All slots of the upstream's rate limit are taken, or all of the memory that replies may take. */
  pace: 429,
  /** The agent has asked as often as a day allows. */
  quota: 429,
  /** The upstream answered 429. */
  'upstream-rate-limited': 429,
  'upstream-unreachable': 502,
  'upstream-redirected': 502,
  'upstream-too-large': 502,
  /** The reply came in an encoding that was not asked for, or with a status that no reply has. */
  'upstream-unreadable': 502,
  /** The reply held the API key, in whatever spelling. */
  'upstream-echoed-key': 502,
  /** The upstream's name leads to a private address. */
  'upstream-not-allowed': 502,
  /** Several calls failed; the next is made later. */
  'upstream-paused': 503,
  'no-key': 503,
  'store-unavailable': 503,
  /** The event loop stood still until the slot was over; nothing was sent. */
  'slot-missed': 503,
  /** The upstream did not answer in time, this instance or another one that asked it the same. */
  'upstream-timeout': 504,
} as const;

/** A failure of the relay. Moments in epoch milliseconds. */
export interface Failure {
  readonly kind: FailureKind;
  /** When to ask again. */
  readonly retryAt?: number;
  /** Why an upstream cannot be reached. */
  readonly cause?: UnreachableCause;
}

/** Why an upstream cannot be reached. `broken`: the connection ended before the reply was whole, or for any other reason. */
interface UnreachableCause {
  readonly what: 'name' | 'refused' | 'certificate' | 'timeout' | 'broken';
  /** Node's code for the failure, such as `ENOTFOUND`; `''` where it has none. */
  readonly code: string;
}

/** The header that marks a failure of the relay; no header of an upstream passes through. */
export const failureHeader = 'Counterfoil-Relay-Failure';
const readableBodies =
  'Send the parameters as application/x-www-form-urlencoded, application/json (an object) or multipart/form-data; nothing was asked.';

/**
 * Writes a failure in the relay's own form. Its body has no `status`, `msg`, `data`, `item` or `items`, so that no reader takes it for
 * a seller's reply. A header says why a seller cannot be reached, for a role that sees it.
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
