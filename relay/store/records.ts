import type { Connection } from '#core/connections/connection';
import type { Role } from '#relay/rules/roles';
import type { SellerCall } from '#relay/rules/seller-call';

/** Describes one upstream, as the administrator's command line set it up. Moments are epoch milliseconds here as everywhere. */
export interface ConnectionRecord extends Pick<Connection, 'id' | 'name' | 'baseAddress'> {
  readonly keyPlacement: Connection['dialect']['keyPlacement'];
  readonly encoding: Connection['dialect']['encoding'];
  /** Requests that the upstream allows in a window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Allows the upstream's name to lead to a private address. */
  readonly allowPrivate: boolean;
}

/** Holds the API key of a connection as ciphertext, and its data key wrapped under a master key. */
export interface SealedKey {
  readonly connection: string;
  /** Rises with every new key. */
  readonly version: number;
  readonly masterKeyId: string;
  readonly wrappedDataKey: Uint8Array;
  readonly sealed: Uint8Array;
}

/** Names the relay's own secrets. */
export type SecretName = 'canary' | 'audit-hmac' | 'cache-hmac' | 'cache-body';

/** Holds a secret of the relay wrapped under a master key. */
export interface SealedSecret {
  readonly name: SecretName;
  readonly masterKeyId: string;
  readonly wrapped: Uint8Array;
}

/** Describes an agent. */
export interface AgentRecord {
  readonly id: string;
  readonly email: string;
  readonly role: string;
}

/** Holds a token without its secret. */
export interface TokenRecord {
  readonly id: string;
  readonly agent: string;
  /** SHA-256 of the token. */
  readonly hash: Uint8Array;
  readonly signedInAt: number;
  readonly expiresAt: number;
  /** 0 while the token holds. */
  readonly revokedAt: number;
}

/** Holds a token with what its agent may see. */
export interface KnownToken extends TokenRecord {
  readonly role: Role;
}

/** Holds a one-time invite without its secret. */
export interface InviteRecord {
  readonly id: string;
  readonly agent: string;
  readonly hash: Uint8Array;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Describes what an audit row is about. A code stands in it as HMAC and last four characters only. */
export interface AuditSubject {
  readonly callId: string;
  readonly agent: string;
  readonly token: string;
  readonly connection: string;
  readonly call: SellerCall;
  /** HMAC-SHA-256 of the purchase code or item id in hexadecimal; `''` where the call has none. */
  readonly codeHmac: string;
  readonly codeLast4: string;
}

/**
 * Names what an audit row records: `intent` before a call to the upstream, `outcome` after it, `reply` for what an agent was
 * answered, `admin` for a change at the command line.
 */
export type AuditKind = 'intent' | 'outcome' | 'reply' | 'admin';

export interface AuditRow extends Partial<AuditSubject> {
  /** Rises within a month in the order of the commits. */
  readonly id: number;
  readonly at: number;
  readonly kind: AuditKind;
  readonly result: string;
}
