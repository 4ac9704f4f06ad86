import type { Fault } from '#core/seller/fault';
import type { Purchase } from '#core/seller/purchase';
import type { Result } from '#core/result';

/** What one connection said about one code. Replies are kept and passed on, never verdicts: those depend on the moment. */
export interface CheckReport {
  readonly connectionId: string;
  readonly code: string;
  /** When the server answered, epoch milliseconds; of a kept reply, when it first came. */
  readonly checkedAt: number;
  /** Whether this is a kept reply rather than a fresh one. */
  readonly cached: boolean;
  readonly outcome: Result<CheckAnswer, Fault>;
}

export type CheckAnswer = { readonly kind: 'purchase'; readonly purchase: Purchase } | NotFound;

/** The server knows no such purchase on this account. Never read as "fake": spec section 7, design "What the spec leaves open". */
export interface NotFound {
  readonly kind: 'not-found';
  /** The server's own words. */
  readonly msg: string;
  /** An account check with the same key passed just now or lately, so the key itself is good. `unknown`: it could not be asked. */
  readonly key: 'good' | 'unknown';
  /** Whether this connection has ever confirmed a code; if not, our way of asking may be what is wrong. */
  readonly proven: boolean;
}
