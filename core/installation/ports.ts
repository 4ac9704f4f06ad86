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

/** Why no whole reply came. */
export type TransportFault =
  | { readonly kind: 'offline' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout'; readonly afterMs: number }
  | { readonly kind: 'redirected' }
  | { readonly kind: 'too-large'; readonly limitBytes: number };

/**
 * Makes the two calls of the licensing API that an installation may make. A reply is handed on as it came, whatever it
 * says; nothing here rejects.
 */
export interface LicensingApi {
  activate(request: LicenseRequest): Promise<Result<RawReply, TransportFault>>;
  validate(request: LicenseRequest): Promise<Result<RawReply, TransportFault>>;
}

/** Says that the place where the state is kept cannot be read, or cannot be written. Nothing in it has changed. */
export interface VaultFault {
  readonly kind: 'vault';
  readonly reason: 'unreadable' | 'unwritable';
}

/** Keeps an installation's state: one text, which outlives the program. */
export interface Vault {
  /** Reads the saved state; `undefined` when nothing was ever saved. */
  read(): Promise<Result<string | undefined, VaultFault>>;
  /**
   * Reads, changes and saves as one step, which no other user of the vault comes between. A crash leaves the text
   * before or the text after, whole. `change` may be called more than once and has no effects of its own.
   * @returns the text after
   */
  update(change: (text: string | undefined) => string): Promise<Result<string, VaultFault>>;
}

/** Creates a vault that lives as long as its program: for tests, and for the sandbox. */
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
