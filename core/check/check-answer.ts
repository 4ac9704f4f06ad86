import type { Purchase } from '#core/seller/purchase';

/** Holds what a seller answered about one code. */
export type CheckAnswer = { readonly kind: 'purchase'; readonly purchase: Purchase } | NotFound;

/** States that the server knows no such purchase on this account. It does not prove a forgery (spec section 7). */
export interface NotFound {
  readonly kind: 'not-found';
  /** The server's own message. */
  readonly msg: string;
  /** `good`: an account check with the same key passed recently. `unknown`: no account check could be made. */
  readonly key: 'good' | 'unknown';
  /** Whether this connection has ever confirmed a code; if not, the encoding of the request may be wrong. */
  readonly proven: boolean;
}
