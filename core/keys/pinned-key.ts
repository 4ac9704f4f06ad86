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
 * Names what the signature is over: the decoded payload, the payload segment's ASCII, JWS's `header.payload`, or the
 * RFC 8785 form.
 */
export type SigningInput = 'payload' | 'segment' | 'jws' | 'canonical';

/** A public key that this machine's owner trusts for an authority. JSON-safe; moments are epoch milliseconds. */
export interface PinnedKey {
  /** Its fingerprint: each way into the ring sets it so. A record without an id is read with its fingerprint. */
  readonly id: string;
  readonly label: string;
  /** The authority's own name for it (`kid`), where it has one. */
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
  /** The origin of the one authority that it speaks for. */
  readonly authority?: string;
  /** The fingerprint of another key of the same authority, which this one replaces or is replaced by (a rotation). */
  readonly sameAuthorityAs?: string;
  /** The only products that it speaks for. Absent: all. */
  readonly products?: readonly string[];
  /** Names that mean one product, a list for each: what its documents call it and what tickets do. */
  readonly productNames?: readonly (readonly string[])[];
  /** Whether the organization's policy pins it: the agent cannot change it, and it goes with the policy. */
  readonly byPolicy?: true;
  /** Beside `byPolicy`: the agent had pinned it before, so that it stays when the policy goes. */
  readonly wasOwn?: true;
  /** How the documents that it verified were signed. */
  readonly remembered?: {
    readonly license?: SignedForm;
    readonly certificate?: SignedForm;
  };
}

/**
 * The signed text of a team's settings begins with this. One key may sign both settings and licenses, and neither may
 * pass for the other.
 */
export const teamSettingsPrefix = 'counterfoil-team-settings:';
