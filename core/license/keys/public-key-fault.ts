/** Tells how a key was spelled. `raw`: 32 bare bytes in a file. */
export type PublicKeyFormat =
  | 'raw'
  | 'hex'
  | 'base64'
  | 'base64url'
  | 'spki-pem'
  | 'spki-der'
  | 'jwk'
  | 'openssh';

/** Tells why something is not pinned as a key. Never holds any of what was given. */
export type PublicKeyFault =
  /** None of the forms that are read. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'too-large'; readonly limitBytes: number }
  /** A private key, which has been exposed by being pasted here and must be replaced by its owner. Nothing of it is kept. */
  | { readonly kind: 'private-key'; readonly form: PublicKeyFormat }
  /** A key, but of another algorithm (its name or object identifier). */
  | { readonly kind: 'other-algorithm'; readonly algorithm: string }
  | { readonly kind: 'several-keys'; readonly count: number }
  | { readonly kind: 'wrong-length'; readonly bytes: number }
  | {
      readonly kind: WeakKey;
      /** Bare bytes that are no key may be a private seed: those look just the same. */
      readonly maybePrivate: boolean;
    };

/** Tells why 32 bytes are no key: see `judgeRawKey`. */
export type WeakKey = 'not-canonical' | 'off-curve' | 'small-order' | 'torsion';
