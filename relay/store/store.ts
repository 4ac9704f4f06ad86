import type { Health, SlotDecision } from '#relay/store/pace';
import type { Role } from '#relay/rules/index';
import type { MonthLine } from '#relay/store/month-count';
import type {
  AgentRecord,
  CachedReply,
  Lease,
  AuditRow,
  AuditSubject,
  ConnectionRecord,
  InviteRecord,
  JoinCodeRecord,
  JoinRecord,
  KnownToken,
  QuotaOwner,
  Quotas,
  RewrappedKey,
  SealedKey,
  SealedSecret,
  SignedSettings,
  TokenRecord,
  TokenUse,
} from '#relay/store/records';

/** Asks for a slot of a connection's pace. */
export interface SlotRequest {
  readonly connection: ConnectionRecord;
  readonly bulk: boolean;
  /** How many slots the subject's agent may take in a day (UTC). */
  readonly quota?: number | undefined;
  readonly deadlineMs: number;
  /** The agents who wait for a slot of the connection at this instance. */
  readonly waiting?: readonly string[];
  /**
   * The right to ask the upstream under a key, taken with the slot, so that instances do not ask alike at once. The key is that of
   * the cached reply, or one of the call's own where no answer but its own would do.
   */
  readonly lease: Lease;
  /** Grants no slot, as if leased, when a reply has come into the cache under the lease's key since the caller looked there. */
  readonly unlessCached: boolean;
  /** Recorded as the intent in the transaction that grants the slot. */
  readonly subject: AuditSubject;
}

/** Grants a slot, whose intent is then committed, or names the moment to ask again; a refusal writes nothing. */
export type SlotAnswer =
  | SlotDecision
  | { readonly granted: false; readonly at: number; readonly because: 'leased' };

/** Describes how a call to an upstream ended. */
export interface CallReport {
  readonly subject: AuditSubject;
  readonly result: string;
  readonly health: Health;
  /** The slot that the call had, where the upstream has replied, so that its request has arrived. */
  readonly slot?: number;
  /** Holds all calls back until then, since the upstream answered 429. */
  readonly heldUntil?: number;
  readonly cache?: CachedReply;
  /** Ends with the call. */
  readonly lease: Lease;
}

/** Names what a call of an agent is about. */
export interface CallLookup {
  /** The token's id. */
  readonly token: string;
  readonly connection: string;
  /** Ends the key of a cached reply, after the connection and a name of its API key. */
  readonly cacheKeyEnd: string;
  readonly skipsCache?: boolean;
}

/** Holds what a call of an agent is judged and answered by. */
export interface CallFindings {
  /** Also one that has expired or was revoked. */
  readonly token: KnownToken | undefined;
  readonly connection: ConnectionRecord | undefined;
  /** The newest key of the connection. */
  readonly key: SealedKey | undefined;
  /** The key of a cached reply under the newest key. */
  readonly cacheKey?: string | undefined;
  /** A reply that holds, under it. */
  readonly cached: CachedReply | undefined;
}

/** Describes what the relay does with its store while it serves. Every method rejects when the store cannot be used. */
export interface ServingStore {
  /** Rejects when the database does not answer, or, where it can be tried, cannot be written. */
  ping(): Promise<void>;
  /** Finds a token of an agent, also one that has expired or was revoked. */
  findToken(id: string): Promise<KnownToken | undefined>;
  /** Finds all that a call asks for at once, so that it takes one round trip to the database. */
  findCall(lookup: CallLookup): Promise<CallFindings>;
  extendToken(id: string, expiresAt: number): Promise<void>;
  secrets(): Promise<readonly SealedSecret[]>;
  /** Decides by `openSlotDesk` on a state that nobody else has changed until the decision is committed, together with the intent. */
  takeSlot(request: SlotRequest): Promise<SlotAnswer>;
  /** Lets a lease last for its time from now on; does nothing where another call has it, or nobody. */
  renewLease(lease: Lease): Promise<void>;
  /** Records a call's outcome, the upstream's health, the cached reply and the end of the lease in one transaction. */
  reportCall(report: CallReport): Promise<void>;
  /**
   * Commits the record of the reply, and calls `begin`, which must send the reply's first byte before it returns, while the token's
   * row is locked. Returns `withheld` without calling it when the token was revoked or has expired, and records that; a second time
   * where it was so only after the first record. When `begin` throws, records `not-begun` as well, and rejects with what was thrown;
   * nothing else is undone.
   */
  release(subject: AuditSubject, result: string, begin: () => void): Promise<'begun' | 'withheld'>;
  findCached(key: string): Promise<CachedReply | undefined>;
  /** Removes leases and, a thousand at most, replies that have expired. Returns how many replies. */
  dropExpiredReplies(): Promise<number>;
}

/**
 * Describes what the administrator's command line does with the store. Each change writes its own audit row in the same
 * transaction.
 */
export interface AdminStore {
  connections(): Promise<readonly ConnectionRecord[]>;
  addConnection(connection: ConnectionRecord): Promise<void>;
  /** Changes a connection; false when there is none. Its key and its cached replies go when its address, its marketplace or its store changes. */
  editConnection(connection: ConnectionRecord): Promise<boolean>;
  removeConnection(id: string): Promise<boolean>;
  /** Stores a key in place of the connection's older ones. */
  putKey(key: SealedKey): Promise<void>;
  keys(): Promise<readonly SealedKey[]>;
  /**
   * Replaces wrappings after a rotation of the master key, all or none. A key that was set meanwhile is passed over. Returns how many
   * it has replaced.
   */
  rewrap(keys: readonly RewrappedKey[], secrets: readonly SealedSecret[]): Promise<number>;
  /** Stores the relay's secrets, unless some are there already. */
  addSecrets(secrets: readonly SealedSecret[]): Promise<void>;
  roles(): Promise<readonly Role[]>;
  putRole(role: Role): Promise<void>;
  quotas(): Promise<Quotas>;
  /** Sets how many questions a day an agent, or each agent of a role, may ask; false when there is no such one. */
  setQuota(of: QuotaOwner, calls: number | undefined): Promise<boolean>;
  agents(): Promise<readonly AgentRecord[]>;
  addAgent(agent: AgentRecord): Promise<void>;
  /** Adds agents, and invites for them or for others who are agents already, all or none. */
  importAgents(agents: readonly AgentRecord[], invites: readonly InviteRecord[]): Promise<void>;
  setRole(agent: string, role: string): Promise<boolean>;
  /** Sets what an OpenID provider calls an agent, `TENANT/OBJECT`. */
  setSubject(agent: string, subject: string): Promise<boolean>;
  /** Removes an agent with all tokens and invites. */
  removeAgent(id: string): Promise<boolean>;
  addInvite(invite: InviteRecord): Promise<void>;
  /** Lists the invites that are not used up, also those that have expired. */
  invites(): Promise<readonly InviteRecord[]>;
  /** Takes every invite of an agent back, also from a join under way; false when there is none. */
  revokeInvites(agent: string): Promise<boolean>;
  /** Uses up an invite and stores the token in one transaction; false unless the invite is there, unexpired, with this hash. */
  redeemInvite(id: string, hash: Uint8Array, token: Omit<TokenRecord, 'agent'>): Promise<boolean>;
  tokens(): Promise<readonly TokenRecord[]>;
  /** Tells how tokens were used from this moment on, without those that the audit does not name. */
  tokenUses(since: number): Promise<readonly TokenUse[]>;
  /** Revokes a token; false when there is none. After the commit no reply to it is begun. */
  revokeToken(id: string): Promise<boolean>;
  /**
   * Reads the audit rows of a month, `2026-11`, or of all months, in the order of their commits, and calls `use` with each. It keeps
   * nobody from writing meanwhile.
   */
  readAudit(month: string | undefined, use: (row: AuditRow) => void): Promise<void>;
  /**
   * Counts the checks of a month, `2026-11`, by its audit, without keeping anybody waiting. What it counts leaves the database as
   * numbers alone, so that the runner's role may ask for it.
   * @param reader an agent who reads it, which is recorded before
   */
  countMonth(
    month: string,
    reader?: Required<Pick<AuditSubject, 'agent' | 'token'>>,
  ): Promise<readonly MonthLine[]>;
  /** Returns for how many months before the present one the audit is kept; undefined where that is for ever. */
  keptMonths(): Promise<number | undefined>;
  /** Sets that. The relay drops older months while it serves. */
  keepAudit(months: number | undefined): Promise<void>;
  /** Deletes the rows of months before those, and records that; the runner's role may. Returns how many. */
  dropOldAudit(): Promise<number>;
  /** Stores the team's settings; false unless their version is higher than the stored one. */
  putSettings(settings: SignedSettings): Promise<boolean>;
}

/** Describes what joining does with the store. */
export interface JoinStore {
  /** Stores a join that begins, and drops those that ended an hour ago; false when too many are under way. */
  beginJoin(join: JoinRecord): Promise<boolean>;
  /** Finds a join, also one that has expired. */
  findJoin(id: string): Promise<JoinRecord | undefined>;
  /** Counts a wrong invite. Returns how many there were. */
  countWrongInvite(join: string): Promise<number>;
  /** Finds an invite that holds. */
  findInvite(id: string): Promise<InviteRecord | undefined>;
  /** Records who has signed in. */
  identifyJoin(id: string, agent: string, invite?: string): Promise<void>;
  /** Gives an agent the role that their groups at the provider have, also one that sees less. Records a change; false when there is none. */
  followGroups(agent: string, role: string): Promise<boolean>;
  endJoin(id: string): Promise<void>;
  /**
   * Puts a code in the place of a join and uses up its invite, in one transaction; false unless the join holds, somebody has signed
   * in, and the invite holds still.
   */
  confirmJoin(id: string, code: JoinCodeRecord): Promise<boolean>;
  /**
   * Uses up a code and stores the token, in one transaction. Returns the agent; undefined unless the code holds and the challenge is
   * the join's. A wrong challenge uses the code up as well.
   * @param browser stands in the audit, so that an agent's tokens can be told apart
   */
  redeemCode(
    code: Pick<JoinCodeRecord, 'id' | 'hash'>,
    challenge: string,
    token: Omit<TokenRecord, 'agent'>,
    browser?: string,
  ): Promise<AgentRecord | undefined>;
  findSettings(): Promise<SignedSettings | undefined>;
  /** Returns their version alone, which rises with each change. */
  settingsVersion(): Promise<number | undefined>;
}

/** Limits the joins that are under way at once, since anybody may begin one. */
export const maxJoins = 2_000;
/** Says how long a join is kept after its expiry, in milliseconds, so that its page can say what happened. */
export const keepExpiredJoinMs = 3_600_000;

/** Reports that another process holds the database's write lock. */
export class DatabaseLocked extends Error {
  override readonly name = 'DatabaseLocked';
  constructor(options?: ErrorOptions) {
    super('Another process keeps the database locked: try again once it has ended.', options);
  }
}

/** Reports that the database's disk is full. What was to be written is not. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
  constructor(options?: ErrorOptions) {
    super('The disk of the database is full: make room, or drop old months of the audit.', options);
  }
}

export interface Store extends ServingStore, AdminStore, JoinStore {
  /** Returns how much the database takes, in bytes, without what its server needs beside it. */
  databaseBytes(): Promise<number>;
  /** Returns how many bytes inside the database are written to again before it grows; 0 where its server does not tell. */
  reusableBytes(): number;
  /** The clocks that this store judges by. Where instances share a database, they are the database's. */
  readonly clocks: StoreClocks;
  close(): Promise<void>;
}

/** Reads the clocks of a store. Epoch milliseconds. */
export interface StoreClocks {
  /** For expiry and audit. */
  readonly now: () => number;
  /** For the pace; never jumps while the process runs. */
  readonly paceNow: () => number;
}

/** Reads the machine's clock for expiry, and one that never jumps while the process runs for the pace. */
export const machineClocks: StoreClocks = {
  now: Date.now,
  paceNow: () => performance.timeOrigin + performance.now(),
};
