import type { CallKind } from '#core/marketplaces/asking';
import type { Connection } from '#core/connections/index';
import type { SignedTeamSettings } from '#core/team/index';
import type { Role } from '#relay/rules/index';

export const verdicts = ['found', 'not found', 'other answer', 'no answer'] as const;

/** The counts: checks by the audit's verdict (without support), and distinct agents. */
export const tallies = ['checks', ...verdicts, 'agents'] as const;

/** The records that are given to the store and found in it, by kind. Moments are epoch milliseconds. */
interface Records {
  /** An upstream, as set up with the administrator's command line. */
  readonly connection: Pick<Connection, 'id' | 'name' | 'baseAddress' | 'marketplace' | 'store'> & {
    readonly keyPlacement: Connection['dialect']['keyPlacement'];
    readonly encoding: Connection['dialect']['encoding'];
    /** Requests that the upstream allows in a window. */
    readonly limit: number;
    readonly windowMs: number;
    /** Whether the upstream's name may resolve to a private address. */
    readonly allowPrivate: boolean;
    /** The roles whose agents may ask it; all if empty. */
    readonly roles: readonly string[];
  };
  /** The API key of a connection as ciphertext, and its data key wrapped under a master key. */
  readonly key: {
    readonly connection: string;
    /** Increases with every new key. */
    readonly version: number;
    readonly masterKeyId: string;
    readonly wrappedDataKey: Uint8Array;
    readonly sealed: Uint8Array;
  };
  readonly rewrappedKey: Pick<Records['key'], 'connection' | 'masterKeyId' | 'wrappedDataKey'> & {
    /** The wrapping that it replaces. The version does not identify a key, since a connection that is added again restarts at 1. */
    readonly before: Uint8Array;
  };
  readonly secret: {
    readonly name: 'canary' | 'audit-hmac' | 'cache-hmac' | 'cache-body';
    readonly masterKeyId: string;
    readonly wrapped: Uint8Array;
  };
  /** The right to ask an upstream. It ends after `forMs` unless its holder, a call, renews it. */
  readonly lease: {
    readonly key: string;
    readonly holder: string;
    readonly forMs: number;
  };
  readonly reply: {
    readonly key: string;
    readonly storedAt: number;
    readonly expiresAt: number;
    readonly sealed: Uint8Array;
  };
  /** The data for judging and answering a call: the token, even if expired or revoked, and the connection's newest key. */
  readonly callFindings: {
    readonly token: Records['knownToken'] | undefined;
    readonly connection: Records['connection'] | undefined;
    readonly key: (Records['key'] & { readonly cacheKey: string }) | undefined;
    readonly cached: Records['reply'] | undefined;
  };
  readonly callReport: {
    readonly subject: Records['auditSubject'];
    readonly result: string;
    /** `unknown`: it was not reached, or the fault was ours. `down`: no connection, no complete reply, or a gateway's 502, 503 or 504. */
    readonly health: 'up' | 'down' | 'unknown';
    /** The call's slot, if the upstream has replied, so that the request has arrived. */
    readonly slot?: number;
    /** No calls until then, because the upstream answered 429. */
    readonly heldUntil?: number;
    readonly cache?: Records['reply'];
    readonly lease: Records['lease'];
  };
  readonly agent: {
    readonly id: string;
    readonly email: string;
    readonly role: string;
    /** The agent's id at an OpenID provider that does not vouch for e-mail addresses: `TENANT/OBJECT`. */
    readonly subject?: string;
    /** How many questions to sellers the agent may ask per day (UTC), if limited, and has asked today. */
    readonly quota?: number;
    readonly today?: number;
  };
  readonly token: {
    readonly id: string;
    readonly agent: string;
    /** SHA-256 of its whole text. */
    readonly hash: Uint8Array;
    readonly signedInAt: number;
    readonly expiresAt: number;
    /** 0 if the token is not revoked. */
    readonly revokedAt: number;
  };
  readonly newToken: Omit<Records['token'], 'agent'>;
  readonly knownToken: Records['token'] & { readonly role: Role; readonly quota?: number };
  /** A token with its uses: when the first and the last reply to it were begun, and who obtained it. */
  readonly usedToken: Records['token'] &
    Pick<Records['audit'], 'actor'> & {
      readonly firstAt?: number;
      readonly lastAt?: number;
    };
  readonly invite: Omit<Records['token'], 'signedInAt' | 'revokedAt'> & {
    readonly createdAt: number;
  };
  /** A join that a browser has begun on the relay's page, without that browser's secret. */
  readonly join: {
    readonly id: string;
    /** SHA-256 of the secret in the browser's cookie. */
    readonly hash: Uint8Array;
    /** From the extension, returned to it unchanged. */
    readonly state: string;
    /** The PKCE challenge of the extension: SHA-256 in base64url. */
    readonly challenge: string;
    readonly expiresAt: number;
    /** The agent who has signed in. */
    readonly agent?: string;
    /** The invite to use up when the join is confirmed. */
    readonly invite?: string;
  };
  /** A one-time code, which the extension turns into a token, without its secret. */
  readonly joinCode: Pick<Records['invite'], 'id' | 'hash' | 'expiresAt'>;
  readonly settings: SignedTeamSettings & { readonly version: number };
  /** The subject of an audit row. A code is stored only as its HMAC and last four characters. */
  readonly auditSubject: {
    readonly callId: string;
    readonly agent: string;
    readonly token: string;
    /** The id in the call; `''` if no connection can have it. */
    readonly connection: string;
    readonly call: CallKind;
    /** HMAC-SHA-256 of the purchase code or item id in hexadecimal; `''` if the call has none. */
    readonly codeHmac: string;
    readonly codeLast4: string;
  };
  readonly audit: Partial<Records['auditSubject']> & {
    /** Ascending; rows about the same token are in the order of their commits. */
    readonly id: number;
    readonly at: number;
    /**
     * `intent` before a call to the upstream, `outcome` after it, `reply` for an answer to an agent, `admin` for a change of rights, at the
     * command line or by joining, and for a report that an agent read.
     */
    readonly kind: 'intent' | 'outcome' | 'reply' | 'admin';
    readonly result: string;
    /** The account and host of the administrator, or the browser with which an agent has joined. */
    readonly actor?: string | undefined;
  };
  /**
   * Counts some checks of a month: all of them, those of a connection or an agent by its id, of a day in UTC (`2026-11-15`), or of a
   * code by its HMAC: of those that several agents have asked, the ten that most have, then those that were asked most often.
   */
  readonly monthLine: Readonly<Record<(typeof tallies)[number], number>> & {
    readonly part: 'total' | 'connection' | 'agent' | 'day' | 'code';
    readonly name: string;
    /** The last four characters of a code. */
    readonly last4: string;
  };
}

export type Stored<Kind extends keyof Records> = Records[Kind];
