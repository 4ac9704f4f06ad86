import type { Purchase } from '#core/seller/purchase';

/** What a seller answered about one code. */
export type CheckAnswer = { readonly kind: 'purchase'; readonly purchase: Purchase } | NotFound;

/** The server knows no such purchase on this account. Never read as "fake": spec section 7, design "What the spec leaves open". */
export interface NotFound {
  readonly kind: 'not-found';
  /** The server's own message. */
  readonly msg: string;
  /** `good`: an account check with the same key passed recently. `unknown`: the account could not be requested. */
  readonly key: 'good' | 'unknown';
  /** Whether this connection has ever confirmed a code; if not, our encoding of the request may be wrong. */
  readonly proven: boolean;
}
