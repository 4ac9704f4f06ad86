import { type Result, succeed } from '#core/result';
import type { RawReply } from '#core/http/exchange';

/** The body of activate and validate: spec section 2, "License request". */
export interface LicenseRequest {
  readonly license: string;
  readonly domain: string;
  readonly productSlug: string;
  /** A UUID in lower case. */
  readonly installationId: string;
}

/** Why no complete reply arrived. */
export type TransportFault =
  | { readonly kind: 'offline' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout'; readonly afterMs: number }
  | { readonly kind: 'redirected' }
  | { readonly kind: 'too-large'; readonly limitBytes: number };

/**
 * Makes the two licensing API calls of an installation. Any reply is returned as it arrived; the promises never reject.
 */
export interface LicensingApi {
  activate(request: LicenseRequest): Promise<Result<RawReply, TransportFault>>;
  validate(request: LicenseRequest): Promise<Result<RawReply, TransportFault>>;
}

/** The vault cannot be read or written. Its content has not changed. */
export interface VaultFault {
  readonly kind: 'vault';
  readonly reason: 'unreadable' | 'unwritable';
}

/** Stores an installation's state: one text that outlives the program. */
export interface Vault {
  /** Reads the saved state; `undefined` if nothing was ever saved. */
  read(): Promise<Result<string | undefined, VaultFault>>;
  /**
   * Reads, changes and saves atomically. A crash leaves either the old or the new text, complete. `change` may be
   * called more than once, so it must have no side effects.
   * @returns the new text
   */
  update(change: (text: string | undefined) => string): Promise<Result<string, VaultFault>>;
}

/** Creates a vault in memory, for tests and the sandbox. */
export function createMemoryVault(text?: string): Vault {
  let kept = text;
  return {
    read: () => Promise.resolve(succeed(kept)),
    update(change) {
      kept = change(kept);
      return Promise.resolve(succeed(kept));
    },
  };
}
