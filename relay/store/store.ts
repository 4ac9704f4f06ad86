import type { Clocks } from '#relay/machine/clocks';
import type { PaceLimit, PaceRequest, SlotDecision } from '#relay/pace/pace';
import type { Role } from '#relay/rules/index';
import type { Stored } from '#relay/store/records';

/**
 * What the relay keeps, by who asks. Every method rejects when the database cannot be used, and each change is one transaction, which
 * is on the disk when it resolves. What is not found, or has expired where nothing else is said, is undefined; a change of what is not
 * there returns false.
 */
export interface Store extends ServingStore, JoinStore, AdminStore, AuditStore, Upkeep {}

export interface Upkeep {
  readonly clocks: Clocks;
  /** Returns how many bytes it takes, without what its server needs beside it. */
  readonly databaseBytes: () => Promise<number>;
  /** Returns how many bytes of it are written to again before it grows; 0 where its server does not tell. */
  readonly reusableBytes: () => number;
  readonly close: () => Promise<void>;
}

/** What a relay asks while it answers calls. */
export interface ServingStore {
  /** Rejects when the database does not answer or cannot be written. */
  ping(): Promise<void>;
  secrets(): Promise<readonly Stored<'secret'>[]>;
  /** Finds a token of an agent, also one that has expired or was revoked. */
  findToken(id: string): Promise<Stored<'knownToken'> | undefined>;
  extendToken(id: string, expiresAt: number): Promise<void>;
  /** Finds all that a call asks for at once, so that it takes one round trip to the database. */
  findCall(lookup: CallLookup): Promise<Stored<'callFindings'>>;
  findCached(key: string): Promise<Stored<'reply'> | undefined>;
  /**
   * Grants a slot, whose intent is then committed, or names the moment to ask again; a refusal writes nothing. Decided by
   * `createPaceLimiter` on a state that nobody else has changed until the decision is committed.
   */
  takeSlot(request: SlotRequest): Promise<SlotAnswer>;
  /** Lets a lease last for its time from now on; does nothing where another call has it, or nobody. */
  renewLease(lease: Stored<'lease'>): Promise<void>;
  /** Records a call's outcome, the upstream's health, the cached reply and the end of the lease in one transaction. */
  reportCall(report: Stored<'callReport'>): Promise<void>;
  /**
   * Commits the record of the reply, and calls `begin`, which must send the reply's first byte before it returns, while the token's
   * row is locked. Returns `withheld` without calling it when the token was revoked or has expired, and records that; a second time
   * where it was so only after the first record. When `begin` throws, records `not-begun` as well, and rejects with what was thrown;
   * nothing else is undone.
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
  /** Ends the key of a cached reply, after the connection and a name of its API key. */
  readonly cacheKeyEnd: string;
  readonly skipsCache?: boolean;
}

export interface SlotRequest extends Omit<PaceRequest, 'agent'>, Pick<PaceLimit, 'deadlineMs'> {
  readonly connection: Stored<'connection'>;
  /** The agents who wait for a slot of the connection at this instance. */
  readonly waiting?: readonly string[];
  /**
   * The right to ask the upstream under a key, taken with the slot, so that instances do not ask alike at once. The key is that of
   * the cached reply, or one of the call's own where no answer but its own would do.
   */
  readonly lease: Stored<'lease'>;
  /** Grants no slot, as if leased, when a reply has come into the cache under the lease's key since the caller looked there. */
  readonly unlessCached: boolean;
  readonly subject: Stored<'auditSubject'>;
}

export type SlotAnswer = SlotDecision | { readonly granted: false; readonly reason: 'leased' };

/** What the pages ask on which agents join, and are given the team's settings. */
export interface JoinStore {
  /** Stores a join that begins, and drops those that ended an hour ago; false when too many are under way. */
  beginJoin(join: Stored<'join'>): Promise<boolean>;
  /** Finds a join, also one that has expired. */
  findJoin(id: string): Promise<Stored<'join'> | undefined>;
  /** Counts a wrong invite. Returns how many there were. */
  countWrongInvite(id: string): Promise<number>;
  findInvite(id: string): Promise<Stored<'invite'> | undefined>;
  /** @param by the invite that they have shown */
  identifyJoin(id: string, agent: string, by?: string): Promise<void>;
  /** Gives an agent the role that their groups at the provider have, also one that sees less. Records a change; false when there is none. */
  followGroups(agent: string, role: string): Promise<boolean>;
  endJoin(id: string): Promise<void>;
  /** Puts a code in the place of a join and uses up its invite; false unless the join holds, somebody has signed in, and the invite holds still. */
  confirmJoin(id: string, code: Stored<'joinCode'>): Promise<boolean>;
  /**
   * Uses up a code and stores the token. Returns the agent; undefined unless the code holds and the challenge is the join's. A wrong
   * challenge uses the code up as well.
   * @param browser stands in the audit, so that an agent's tokens can be told apart
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
 * What the administrator's command line asks. Each change has its row of the audit in the same transaction. In PostgreSQL, changing
 * anything but by `addSecrets` and `revokeToken` needs the owner's role.
 */
export interface AdminStore {
  connections(): Promise<readonly Stored<'connection'>[]>;
  addConnection(connection: Stored<'connection'>): Promise<void>;
  /** Its key and its cached replies go when its address, its marketplace or its store changes. */
  editConnection(connection: Stored<'connection'>): Promise<boolean>;
  removeConnection(id: string): Promise<boolean>;
  keys(): Promise<readonly Stored<'key'>[]>;
  /** Stores a key in place of the connection's older ones. */
  putKey(key: Stored<'key'>): Promise<void>;
  /** Stores the relay's secrets. When two instances start at once, the later one finds those of the earlier. */
  addSecrets(secrets: readonly Stored<'secret'>[]): Promise<void>;
  /** Replaces wrappings after a rotation of the master key, all or none but keys set meanwhile; returns how many. */
  rewrap(
    keys: readonly Stored<'rewrappedKey'>[],
    secrets: readonly Stored<'secret'>[],
  ): Promise<number>;
  roles(): Promise<readonly (Role & { readonly quota?: number })[]>;
  putRole(role: Role): Promise<void>;
  /** Sets how many questions a day an agent, or each agent of a role, may ask. */
  setQuota(
    of: { readonly agent: string } | { readonly role: string },
    calls: number | undefined,
  ): Promise<boolean>;
  agents(): Promise<readonly Stored<'agent'>[]>;
  addAgent(agent: Stored<'agent'>): Promise<void>;
  setRole(agent: string, role: string): Promise<boolean>;
  /** Sets what an OpenID provider calls an agent, `TENANT/OBJECT`. */
  setSubject(agent: string, subject: string): Promise<boolean>;
  /** Removes an agent with all tokens and invites. */
  removeAgent(agent: string): Promise<boolean>;
  /** Lists the invites that are not used up, also those that have expired. */
  invites(): Promise<readonly Stored<'invite'>[]>;
  addInvite(invite: Stored<'invite'>): Promise<void>;
  /** Takes every invite of an agent back, also from a join under way. */
  revokeInvites(agent: string): Promise<boolean>;
  /** Uses up an invite and stores the token; false unless the invite is there, unexpired, with this hash. */
  redeemInvite(id: string, hash: Uint8Array, token: Stored<'newToken'>): Promise<boolean>;
  /** Lists all tokens. Their uses are told as far back as the audit goes. */
  tokens(): Promise<readonly Stored<'usedToken'>[]>;
  /** After the commit no reply to a call with it is begun. */
  revokeToken(id: string): Promise<boolean>;
  /** Stores the team's settings; false unless their version is higher than the stored one. */
  putSettings(settings: Stored<'settings'>): Promise<boolean>;
}

export interface AuditStore {
  /**
   * Reads the audit rows of a month, `2026-11`, or of all months, in the order of their commits, and calls `use` with each. It keeps
   * nobody from writing meanwhile.
   */
  readAudit(month: string | undefined, use: (row: Stored<'audit'>) => void): Promise<void>;
  /**
   * Counts the checks of a month by its audit, without keeping anybody waiting. What it counts leaves the database as numbers alone,
   * so that the runner's role may ask for it.
   * @param reader an agent who reads it, which is recorded before
   */
  countMonth(
    month: string,
    reader?: Pick<Stored<'auditSubject'>, 'agent' | 'token'>,
  ): Promise<readonly Stored<'monthLine'>[]>;
  /** Returns for how many months before the present one the audit is kept; undefined where that is for ever. */
  keptMonths(): Promise<number | undefined>;
  /** Sets that. The relay drops older months while it serves. */
  keepAudit(months: number | undefined): Promise<void>;
  /** Tells whether rows are old enough to be dropped only because the clock may be ahead: the week before yesterday has none. */
  auditInDoubt(): Promise<boolean>;
  /** Deletes the rows of months before those, and records that; the runner's role may. Returns how many. */
  dropOldAudit(): Promise<number>;
}
