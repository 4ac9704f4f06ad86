/** Names where API keys are stored: encrypted on this device, encrypted under a passphrase, or only until the browser closes. */
export type SecretMode = 'device' | 'passphrase' | 'session';

/** Describes how API keys are stored and whether they are locked. */
export interface SecretState {
  readonly mode: SecretMode;
  readonly locked: boolean;
  /** Minutes without use after which the keys lock. */
  readonly lockAfterMinutes: number;
}

/** Names why a secret operation failed. `least` is in characters. */
export type SecretFault =
  | { readonly kind: 'wrong-passphrase' }
  | { readonly kind: 'passphrase-too-short'; readonly least: number }
  | { readonly kind: 'locked' }
  /** The organization demands another mode. */
  | { readonly kind: 'set-by-policy' }
  /** The wrapping key is gone, as after site data was cleared: API keys must be entered again. */
  | { readonly kind: 'material-lost' };
