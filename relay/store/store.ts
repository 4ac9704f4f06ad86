import type { Clocks } from '#relay/machine/clocks';
import type { PaceLimit, PaceRequest, SlotDecision } from '#relay/pace/pace';
import type { Role } from '#relay/rules/index';
import type { Stored } from '#relay/store/records';

/**
 * The relay's data, by user. Every method rejects if the database cannot be used, and each change is one transaction, which is on the disk
 * when it resolves. A missing record, and by default an expired one, is undefined; changing a missing record returns false.
 */
export interface Store extends ServingStore, JoinStore, AdminStore, AuditStore, Upkeep {}

export interface Upkeep {
  readonly clocks: Clocks;
  /** Returns the size in bytes, without what its server needs in addition. */
  readonly databaseBytes: () => Promise<number>;
  /** Returns how many bytes are reused before it grows; 0 if its server does not report that. */
  readonly reusableBytes: () => number;
  readonly close: () => Promise<void>;
}

/** The methods for answering calls. */
export interface ServingStore {
  /** Rejects if the database does not answer or cannot be written. */
  ping(): Promise<void>;
  secrets(): Promise<readonly Stored<'secret'>[]>;
  /** Finds an agent's token, even if it has expired or was revoked. */
  findToken(id: string): Promise<Stored<'knownToken'> | undefined>;
  extendToken(id: string, expiresAt: number): Promise<void>;
  /** Finds everything that a call needs in one round trip to the database. */
  findCall(lookup: CallLookup): Promise<Stored<'callFindings'>>;
  findCached(key: string): Promise<Stored<'reply'> | undefined>;
  /**
   * Grants a slot, whose intent is then committed, or gives the moment to ask again; a refusal writes nothing. `createPaceLimiter` decides
   * on a state that nobody else changes until the decision is committed.
   */
  takeSlot(request: SlotRequest): Promise<SlotAnswer>;
  /** Renews a lease from now on; does nothing if another call has it, or nobody. */
  renewLease(lease: Stored<'lease'>): Promise<void>;
  /** Records a call's outcome, the upstream's health, the cached reply and the end of the lease in one transaction. */
  reportCall(report: Stored<'callReport'>): Promise<void>;
  /**
   * Commits the record of the reply, and calls `begin`, which must send the reply's first byte before it returns, while the token's row is
   * locked. If the token was revoked or has expired, it returns `withheld` without calling it, and records that; a second time if that
   * happened only after the first record. If `begin` throws, records `not-begun` as well, and rejects with the error; nothing else is
   * undone.
   */
  release(
    subject: Stored<'auditSubject'>,
    result: string,
    begin: () => void,
  ): Promise<'begun' | 'withheld'>;
  /** Removes leases and, a thousand at most, replies that have expired. Returns how many replies. */
  dropExpiredReplies(): Promise<number>;
}

export interface CallLookup {
  readonly token: string;
  readonly connection: string;
  /** The end of a cached reply's key, after the connection and an id of its API key. */
  readonly cacheKeyEnd: string;
  readonly skipsCache?: boolean;
}

export interface SlotRequest extends Omit<PaceRequest, 'agent'>, Pick<PaceLimit, 'deadlineMs'> {
  readonly connection: Stored<'connection'>;
  /** The agents who wait for a slot of the connection at this instance. */
  readonly waiting?: readonly string[];
  /**
   * The right to ask the upstream under a key, taken with the slot, so that instances do not ask the same at once. The key is that of the
   * cached reply, or the call's own if it needs its own answer.
   */
  readonly lease: Stored<'lease'>;
  /** Whether to grant no slot, as if leased, if a reply for the lease's key was cached after the caller looked there. */
  readonly unlessCached: boolean;
  readonly subject: Stored<'auditSubject'>;
}

export type SlotAnswer = SlotDecision | { readonly granted: false; readonly reason: 'leased' };

/** The methods for joining, and for the team's settings. */
export interface JoinStore {
  /** Stores a new join, and drops those that ended an hour ago; false if there are too many. */
  beginJoin(join: Stored<'join'>): Promise<boolean>;
  /** Finds a join, even an expired one. */
  findJoin(id: string): Promise<Stored<'join'> | undefined>;
  /** Counts a wrong invite. Returns the number so far. */
  countWrongInvite(id: string): Promise<number>;
  findInvite(id: string): Promise<Stored<'invite'> | undefined>;
  /** @param by the invite that they have shown */
  identifyJoin(id: string, agent: string, by?: string): Promise<void>;
  /** Sets an agent's role to that of their groups at the provider, even one that sees less. Records a change; false if there is none. */
  followGroups(agent: string, role: string): Promise<boolean>;
  endJoin(id: string): Promise<void>;
  /** Replaces a join by a code and uses up its invite; false unless join and invite are still valid and an agent has signed in. */
  confirmJoin(id: string, code: Stored<'joinCode'>): Promise<boolean>;
  /**
   * Uses up a code and stores the token. Returns the agent; undefined unless the code is valid and the challenge is the join's. A wrong
   * challenge uses up the code too.
   * @param browser recorded in the audit, to distinguish an agent's tokens
   */
  redeemCode(
    code: Pick<Stored<'joinCode'>, 'id' | 'hash'>,
    challenge: string,
    token: Stored<'newToken'>,
    browser?: string,
  ): Promise<Stored<'agent'> | undefined>;
  findSettings(): Promise<Stored<'settings'> | undefined>;
  /** Returns the key that signed the team's settings, which may be large. */
  settingsKey(): Promise<string | undefined>;
}

/**
 * The methods for the administrator's command line. Each change has its audit row in the same transaction. In PostgreSQL, all changes
 * except `addSecrets` and `revokeToken` need the owner's role.
 */
export interface AdminStore {
  connections(): Promise<readonly Stored<'connection'>[]>;
  addConnection(connection: Stored<'connection'>): Promise<void>;
  /** Its key and cached replies are deleted if its address, marketplace or store changes. */
  editConnection(connection: Stored<'connection'>): Promise<boolean>;
  removeConnection(id: string): Promise<boolean>;
  keys(): Promise<readonly Stored<'key'>[]>;
  /** Stores a key in place of the connection's older ones. */
  putKey(key: Stored<'key'>): Promise<void>;
  /** Stores the relay's secrets. If two instances start at once, the later one finds those of the earlier. */
  addSecrets(secrets: readonly Stored<'secret'>[]): Promise<void>;
  /** Replaces wrappings after a rotation of the master key, atomically except for keys set in the meantime; returns how many. */
  rewrap(
    keys: readonly Stored<'rewrappedKey'>[],
    secrets: readonly Stored<'secret'>[],
  ): Promise<number>;
  roles(): Promise<readonly (Role & { readonly quota?: number })[]>;
  putRole(role: Role): Promise<void>;
  /** Sets how many questions per day an agent, or each agent of a role, may ask. */
  setQuota(
    of: { readonly agent: string } | { readonly role: string },
    calls: number | undefined,
  ): Promise<boolean>;
  agents(): Promise<readonly Stored<'agent'>[]>;
  addAgent(agent: Stored<'agent'>): Promise<void>;
  setRole(agent: string, role: string): Promise<boolean>;
  /** Sets an agent's id at an OpenID provider, `TENANT/OBJECT`. */
  setSubject(agent: string, subject: string): Promise<boolean>;
  /** Removes an agent with all tokens and invites. */
  removeAgent(agent: string): Promise<boolean>;
  /** Lists the unused invites, including expired ones. */
  invites(): Promise<readonly Stored<'invite'>[]>;
  addInvite(invite: Stored<'invite'>): Promise<void>;
  /** Revokes every invite of an agent, including that of a running join. */
  revokeInvites(agent: string): Promise<boolean>;
  /** Uses up an invite and stores the token; false unless the invite exists, has this hash and is not expired. */
  redeemInvite(id: string, hash: Uint8Array, token: Stored<'newToken'>): Promise<boolean>;
  /** Lists all tokens, with their uses as far back as the audit goes. */
  tokens(): Promise<readonly Stored<'usedToken'>[]>;
  /** Revokes a token. After the commit, no reply to a call with it is begun. */
  revokeToken(id: string): Promise<boolean>;
  /** Stores the team's settings; false unless their version is higher than the stored one. */
  putSettings(settings: Stored<'settings'>): Promise<boolean>;
}

export interface AuditStore {
  /**
   * Reads the audit rows of a month, `2026-11`, or of all months, in the order of their commits, and calls `use` with each. It does not
   * block writers.
   */
  readAudit(month: string | undefined, use: (row: Stored<'audit'>) => void): Promise<void>;
  /**
   * Counts the checks of a month from its audit, without blocking others. Only numbers leave the database, so the runner's role may call
   * it.
   * @param reader the agent who reads it, which is recorded first
   */
  countMonth(
    month: string,
    reader?: Pick<Stored<'auditSubject'>, 'agent' | 'token'>,
  ): Promise<readonly Stored<'monthLine'>[]>;
  /** Returns for how many months before the present one the audit is kept; undefined if for ever. */
  keptMonths(): Promise<number | undefined>;
  /** Sets how long the audit is kept. The relay drops older months while it serves. */
  keepAudit(months: number | undefined): Promise<void>;
  /** Tells whether rows may seem old only because the clock is ahead: the week before yesterday has none. */
  auditInDoubt(): Promise<boolean>;
  /** Deletes the rows of older months, and records that; the runner's role may do this. Returns how many. */
  dropOldAudit(): Promise<number>;
}
