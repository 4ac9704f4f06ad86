import type { Question } from '#core/marketplaces/asking';
import type { Connection } from '#core/connections/index';
import type { Role } from '#relay/rules/index';

/** Describes one upstream, as the administrator's command line set it up. Moments are epoch milliseconds here as everywhere. */
export interface ConnectionRecord extends Pick<
  Connection,
  'id' | 'name' | 'baseAddress' | 'marketplace' | 'store'
> {
  readonly keyPlacement: Connection['dialect']['keyPlacement'];
  readonly encoding: Connection['dialect']['encoding'];
  /** Requests that the upstream allows in a window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Allows the upstream's name to lead to a private address. */
  readonly allowPrivate: boolean;
  /** The roles whose agents may ask it; all where there is none. */
  readonly roles: readonly string[];
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

export interface RewrappedKey extends Pick<
  SealedKey,
  'connection' | 'masterKeyId' | 'wrappedDataKey'
> {
  /** The wrapping that it replaces. The version does not tell keys apart: a connection that is added again begins at 1. */
  readonly before: Uint8Array;
}

export type SecretName = 'canary' | 'audit-hmac' | 'cache-hmac' | 'cache-body';

export interface SealedSecret {
  readonly name: SecretName;
  readonly masterKeyId: string;
  readonly wrapped: Uint8Array;
}

/** Names a lease, which ends by itself after `forMs` unless its holder, a call, renews it. */
export interface Lease {
  readonly key: string;
  readonly holder: string;
  readonly forMs: number;
}

export interface CachedReply {
  readonly key: string;
  readonly storedAt: number;
  readonly expiresAt: number;
  readonly sealed: Uint8Array;
}

export interface AgentRecord {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  /** The agent's name at an OpenID provider that vouches for no e-mail address: `TENANT/OBJECT`. */
  readonly subject?: string;
  /** How many questions to sellers a day (UTC) the agent may ask, where that is limited, and has asked today. */
  readonly quota?: number;
  readonly today?: number;
}

/** Names whose quota it is: an agent, by its id, or each agent of a role. */
export type QuotaOwner = { readonly agent: string } | { readonly role: string };

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
  /** How many questions to sellers a day (UTC) its agent may ask, where that is limited. */
  readonly quota?: number;
}

export interface InviteRecord {
  readonly id: string;
  readonly agent: string;
  readonly hash: Uint8Array;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Holds a join that a browser has begun at the relay's page, without the secret of that browser. */
export interface JoinRecord {
  readonly id: string;
  /** SHA-256 of the secret in the browser's cookie. */
  readonly hash: Uint8Array;
  /** The extension's, given back to it unchanged. */
  readonly state: string;
  /** The PKCE challenge of the extension: SHA-256 in base64url. */
  readonly challenge: string;
  readonly expiresAt: number;
  /** Who has signed in. */
  readonly agent?: string;
  /** The invite that is used up when the join is confirmed. */
  readonly invite?: string;
}

/** Holds a one-time code, which the extension turns into a token, without its secret. */
export interface JoinCodeRecord {
  readonly id: string;
  readonly hash: Uint8Array;
  readonly expiresAt: number;
}

/** Holds the team's settings as they were signed (`core/team`). */
export interface SignedSettings {
  readonly version: number;
  /** JSON text. */
  readonly payload: string;
  /** Ed25519, 128 hexadecimal digits. */
  readonly signature: string;
  /** The signer's public key, 64 hexadecimal digits. */
  readonly key: string;
}

/** Describes what an audit row is about. A code stands in it as HMAC and last four characters only. */
export interface AuditSubject {
  readonly callId: string;
  readonly agent: string;
  readonly token: string;
  /** The id that the call named; `''` where no connection can have it. */
  readonly connection: string;
  readonly call: Question;
  /** HMAC-SHA-256 of the purchase code or item id in hexadecimal; `''` where the call has none. */
  readonly codeHmac: string;
  readonly codeLast4: string;
}

/**
 * Names what an audit row records: `intent` before a call to the upstream, `outcome` after it, `reply` for what an agent was
 * answered, `admin` for a change of who may do what, at the command line or by joining, and for a report that an agent read.
 */
export type AuditKind = 'intent' | 'outcome' | 'reply' | 'admin';

/** Describes who acted, beside the agent that a change is about. */
export interface AuditActor {
  /** The account and the host of whoever gave a command, or the browser that an agent has joined with. */
  readonly actor: string;
}

/** Tells how a token was used, as far as the audit tells. */
export interface TokenUse {
  readonly token: string;
  /** When the first and the last reply to it were begun. */
  readonly firstAt?: number;
  readonly lastAt?: number;
  /** Who took it out. */
  readonly actor?: string;
}

export interface AuditRow extends Partial<AuditSubject & AuditActor> {
  /** Rises within a month; among rows about one token in the order of their commits. */
  readonly id: number;
  readonly at: number;
  readonly kind: AuditKind;
  readonly result: string;
}

interface Records {
  readonly agent: AgentRecord;
  readonly audit: AuditRow;
  readonly auditSubject: AuditSubject;
  readonly connection: ConnectionRecord;
  readonly invite: InviteRecord;
  readonly join: JoinRecord;
  readonly joinCode: JoinCodeRecord;
  readonly key: SealedKey;
  readonly knownToken: KnownToken;
  readonly lease: Lease;
  readonly reply: CachedReply;
  readonly rewrappedKey: RewrappedKey;
  readonly secret: SealedSecret;
  readonly token: TokenRecord;
}
/** A record of one kind, such as `Stored<'agent'>`. */
export type Stored<Kind extends keyof Records> = Records[Kind];

/** Tells whether a connection may have this id: 1 to 40 lower-case letters, digits and dashes. */
export function isConnectionId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(text);
}

/**
 * Names an API key by the random bytes that its encryption began with. Its version begins at 1 again when a connection is removed and
 * added anew, these never do.
 */
export function nameOfKey({ sealed }: Pick<SealedKey, 'sealed'>): string {
  return Buffer.from(sealed.subarray(0, 12)).toString('hex');
}

/** Returns the key of a cached reply. Only what the very same API key was given is found by it. */
export function cacheKeyOf(key: Pick<SealedKey, 'connection' | 'sealed'>, end: string): string {
  return [key.connection, nameOfKey(key), end].join(':');
}

/** Tells whether a connection still leads to the same account after a change, so that its key and its cached replies stay. */
export function isSameAccount(before: ConnectionRecord, after: ConnectionRecord): boolean {
  return (
    before.baseAddress === after.baseAddress &&
    before.marketplace === after.marketplace &&
    before.store === after.store
  );
}
