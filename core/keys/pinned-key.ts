/** How a document was signed, remembered for each key so that a change is noticed. */
export interface SignedForm {
  readonly encoding: Encoding;
  readonly input: SigningInput;
}

/**
 * The form of a signed document. `token`: `<payload>.<signature>`. `jws`: compact JWS. `pair`: `{payload, signature}`.
 * `member`: a JSON object with a `signature` member over the RFC 8785 form of the rest.
 */
export type Encoding = 'token' | 'jws' | 'pair' | 'member';

/**
 * What the signature is over: the decoded payload, the payload segment's ASCII, JWS's `header.payload`, or the RFC 8785
 * form.
 */
export type SigningInput = 'payload' | 'segment' | 'jws' | 'canonical';

/** A public key that this machine's owner trusts for an authority. JSON-safe; moments are epoch milliseconds. */
export interface PinnedKey {
  /**
   * Its fingerprint: every way of adding a key sets it so. A stored record without an id is read with its fingerprint
   * as id.
   */
  readonly id: string;
  readonly label: string;
  /** The authority's own id for it (`kid`), if it has one. */
  readonly keyId?: string;
  /** The 32 raw bytes as 64 lower-case hexadecimal digits. */
  readonly raw: string;
  /** SHA-256 of the raw bytes, 64 lower-case hexadecimal digits. */
  readonly fingerprint: string;
  /** Compared with a document's `issued_at`, never with the present. Both ends are included. */
  readonly validFrom?: number;
  readonly validTo?: number;
  readonly revoked: boolean;
  /** Whether its licenses are real or for tests. `unstated`: the agent has not said it yet. */
  readonly kind: 'live' | 'test' | 'unstated';
  /** The origin of the only authority that it may sign for. */
  readonly authority?: string;
  /** The fingerprint of another key of the same authority, which this one replaces or is replaced by (a rotation). */
  readonly sameAuthorityAs?: string;
  /** The only products that it may sign for. Absent: all. */
  readonly products?: readonly string[];
  /** Names that mean the same product, one list per product: those in its documents and those in tickets. */
  readonly productNames?: readonly (readonly string[])[];
  /** Whether the organization's policy pins it: the agent cannot change it, and it is removed with the policy. */
  readonly byPolicy?: true;
  /** With `byPolicy`: the agent had already pinned it, so it stays when the policy is removed. */
  readonly wasOwn?: true;
  /** How the documents that it verified were signed. */
  readonly remembered?: {
    readonly license?: SignedForm;
    readonly certificate?: SignedForm;
  };
}

/**
 * The prefix of the signed text of a team's settings. One key may sign both settings and licenses, and the prefix keeps
 * one from being taken for the other.
 */
export const teamSettingsPrefix = 'counterfoil-team-settings:';
