/** Where API keys live: encrypted on this device, encrypted under a passphrase, or only until the browser closes. */
export type SecretMode = 'device' | 'passphrase' | 'session';

export interface SecretState {
  readonly mode: SecretMode;
  readonly locked: boolean;
  /** Minutes without use until the passphrase is asked for again. */
  readonly lockAfterMinutes: number;
}

export type SecretFault =
  | { readonly kind: 'wrong-passphrase' }
  | { readonly kind: 'passphrase-too-short'; readonly least: number }
  | { readonly kind: 'locked' }
  /** What decrypts the keys is gone (cleared storage): they must be entered again. */
  | { readonly kind: 'material-lost' };
