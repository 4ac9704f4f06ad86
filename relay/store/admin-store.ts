import { sameHash } from '#relay/rules/token';
import { type MonthCount, shareCounts } from '#relay/store/month-count';
import {
  type AgentRecord,
  type AuditActor,
  type AuditSubject,
  type ConnectionRecord,
  type InviteRecord,
  isSameAccount,
  type JoinRecord,
  type TokenRecord,
} from '#relay/store/records';
import {
  columns,
  toAgent,
  toAgentQuota,
  toConnection,
  toInvite,
  toKey,
  toRole,
  toRoleQuota,
  toToken,
} from '#relay/store/rows';
import type { AdminStore } from '#relay/store/store';

type Value = string | number | boolean | Uint8Array | null | undefined;
type Row = Readonly<Record<string, unknown>>;

/** Holds a statement that both databases know, of constant text, with its values: `$1` and so on; undefined is null. */
export type Statement = readonly [sql: string, values?: readonly Value[]];

/** Describes the work of one transaction: whoever runs it gives it the rows of each statement that it yields. */
export type Steps<T> = Generator<Statement, T, readonly Row[]>;

/** Runs statements in one of the databases, and says what is different there. */
export interface Dialect {
  /** Runs one statement that changes nothing, without a write lock. */
  readonly read: (...statement: Statement) => Promise<readonly Row[]>;
  /** Runs one statement that changes something. */
  readonly run: (...statement: Statement) => Promise<readonly Row[]>;
  /** Runs steps in one transaction, which is undone when one of them throws. */
  readonly transact: <T>(steps: () => Steps<T>) => Promise<T>;
  /** Shares what is done between those who ask for it at once, where that spares transactions. */
  readonly together: <In, Out>(
    work: (all: readonly In[]) => Promise<readonly Out[]>,
  ) => (one: In) => Promise<Out>;
  /** Writes an administrator's row of the audit, in the transaction of the change that it records, or returns what does. */
  readonly record: (
    result: string,
    subject: Partial<AuditSubject & AuditActor>,
  ) => Iterable<Statement>;
  readonly audit: Pick<AdminStore, 'readAudit' | 'tokenUses' | 'dropOldAudit' | 'dropAuditBefore'>;
  readonly countMonth: (month: string) => Promise<MonthCount>;
  /** Ends a query whose rows nobody else may change before the commit. */
  readonly forUpdate: string;
  /** Picks the cached replies of the connection `$1`. */
  readonly isReplyOf: string;
  /** Revokes the token `$1`, and returns a row when there was one to revoke. */
  readonly revokeToken: string;
  /** Gives the agent `$1` the role `$2`, and returns a row when that is another one. */
  readonly followRole: string;
  readonly insertJoins: (joins: readonly JoinRecord[]) => Iterable<Statement>;
}

const connectionColumns =
  'id, name, base_address, key_placement, encoding, request_limit, window_ms, allow_private, roles, marketplace, store';
const connectionPlaces = '($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';
const connectionValues = (one: ConnectionRecord): readonly Value[] => [
  one.id,
  one.name,
  one.baseAddress,
  one.keyPlacement,
  one.encoding,
  one.limit,
  one.windowMs,
  one.allowPrivate,
  one.roles.join(' '),
  one.marketplace,
  one.store,
];
const agentRow = ({ id, email, role, subject }: AgentRecord): Statement => [
  'INSERT INTO agent (id, email, role, subject) VALUES ($1, $2, $3, $4) RETURNING 1',
  [id, email, role, subject],
];
const inviteRow = ({ id, agent, hash, createdAt, expiresAt }: InviteRecord): Statement => [
  'INSERT INTO invite VALUES ($1, $2, $3, $4, $5) RETURNING 1',
  [id, agent, hash, createdAt, expiresAt],
];

/** Returns what stores a token. */
export const tokenRow = ({ id, agent, hash, signedInAt, expiresAt }: TokenRecord): Statement => [
  'INSERT INTO token VALUES ($1, $2, $3, $4, $5, 0)',
  [id, agent, hash, signedInAt, expiresAt],
];

/**
 * Creates what the administrator's command line does with the store. In PostgreSQL all but `addSecrets`, `countMonth`, `dropOldAudit` and
 * `revokeToken` needs the owner's role.
 */
export function createAdminStore(dialect: Dialect): AdminStore {
  const { read, transact, record } = dialect;
  const list = async <T>(sql: string, toRecord: (row: unknown) => T): Promise<readonly T[]> =>
    (await read(sql)).map((row) => toRecord(row));
  /** Runs a change, which returns the rows that it has changed, with its row of the audit; false when there was none. */
  const change = (
    result: string,
    subject: Partial<AuditSubject>,
    ...statement: Statement
  ): Promise<boolean> =>
    transact(function* () {
      if ((yield statement).length === 0) return false;
      yield* record(result, subject);
      return true;
    });
  const insert = async (...args: Parameters<typeof change>): Promise<void> => {
    await change(...args);
  };
  const countMonth = shareCounts(dialect.countMonth);
  const dropReplies = `DELETE FROM cached_reply WHERE ${dialect.isReplyOf}`;

  return {
    connections: () =>
      list(`SELECT ${columns.connection} FROM connection ORDER BY id`, toConnection),
    addConnection: (connection) =>
      transact(function* () {
        const { id } = connection;
        yield [
          `INSERT INTO connection (${connectionColumns}) VALUES ${connectionPlaces}`,
          connectionValues(connection),
        ];
        yield [
          `INSERT INTO pace (connection, tat, bulk_tat, held_until, failures, open_until, probe_until)
             VALUES ($1, 0, 0, 0, 0, 0, 0)`,
          [id],
        ];
        yield* record('connection-added', { connection: id });
      }),
    editConnection: (connection) =>
      transact(function* () {
        const { id } = connection;
        const [before] = yield [
          `SELECT ${columns.connection} FROM connection WHERE id = $1${dialect.forUpdate}`,
          [id],
        ];
        if (before === undefined) return false;
        yield [
          `UPDATE connection SET (${connectionColumns}) = ${connectionPlaces} WHERE id = $1`,
          connectionValues(connection),
        ];
        if (!isSameAccount(toConnection(before), connection)) {
          yield ['DELETE FROM connection_key WHERE connection = $1', [id]];
          yield [dropReplies, [id]];
        }
        yield* record('connection-edited', { connection: id });
        return true;
      }),
    removeConnection: (id) =>
      transact(function* () {
        const removed = yield ['DELETE FROM connection WHERE id = $1 RETURNING 1', [id]];
        if (removed.length === 0) return false;
        yield [dropReplies, [id]];
        yield* record('connection-removed', { connection: id });
        return true;
      }),
    putKey: ({ connection, version, masterKeyId, wrappedDataKey, sealed }) =>
      insert(
        'key-set',
        { connection },
        `INSERT INTO connection_key VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (connection) DO UPDATE SET version = excluded.version, master_key_id = excluded.master_key_id,
             wrapped_data_key = excluded.wrapped_data_key, sealed = excluded.sealed RETURNING 1`,
        [connection, version, masterKeyId, wrappedDataKey, sealed],
      ),
    keys: () => list(`SELECT ${columns.key} FROM connection_key ORDER BY connection`, toKey),
    rewrap: (keys, secrets) =>
      transact(function* () {
        let count = 0;
        for (const { connection, before, masterKeyId, wrappedDataKey } of keys) {
          const changed = yield [
            `UPDATE connection_key SET master_key_id = $3, wrapped_data_key = $4
               WHERE connection = $1 AND wrapped_data_key = $2 RETURNING 1`,
            [connection, before, masterKeyId, wrappedDataKey],
          ];
          count += changed.length;
        }
        for (const { name, masterKeyId, wrapped } of secrets) {
          const changed = yield [
            'UPDATE secret SET master_key_id = $2, wrapped = $3 WHERE name = $1 RETURNING 1',
            [name, masterKeyId, wrapped],
          ];
          count += changed.length;
        }
        if (count > 0) yield* record('master-key-rotated', {});
        return count;
      }),
    // Of two instances that start at once, the later finds the secrets of the earlier.
    addSecrets: (secrets) =>
      transact(function* () {
        for (const { name, masterKeyId, wrapped } of secrets) {
          yield [
            'INSERT INTO secret VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
            [name, masterKeyId, wrapped],
          ];
        }
      }),
    roles: () => list('SELECT name, sees FROM role ORDER BY name', toRole),
    putRole: ({ name, sees }) =>
      insert(
        'role-set',
        {},
        'INSERT INTO role (name, sees) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET sees = excluded.sees RETURNING 1',
        [name, sees.join(' ')],
      ),
    quotas: async () => ({
      roles: await list(
        'SELECT name AS role, quota AS calls FROM role WHERE quota IS NOT NULL ORDER BY name',
        toRoleQuota,
      ),
      agents: await list(
        `SELECT agent.id AS agent, coalesce(agent.quota, role.quota) AS calls, coalesce(day_calls.calls, 0) AS today
           FROM agent JOIN role ON role.name = agent.role
             LEFT JOIN day_calls ON day_calls.agent = agent.id AND day = CAST(floor(clock() / 86400000) AS bigint)
           WHERE coalesce(agent.quota, role.quota) IS NOT NULL ORDER BY email`,
        toAgentQuota,
      ),
    }),
    setQuota: (of, calls) =>
      'agent' in of
        ? change('agent-quota-set', of, 'UPDATE agent SET quota = $2 WHERE id = $1 RETURNING 1', [
            of.agent,
            calls,
          ])
        : change('role-quota-set', {}, 'UPDATE role SET quota = $2 WHERE name = $1 RETURNING 1', [
            of.role,
            calls,
          ]),
    agents: () => list('SELECT id, email, role, subject FROM agent ORDER BY email', toAgent),
    addAgent: (agent) => insert('agent-added', { agent: agent.id }, ...agentRow(agent)),
    importAgents: (agents, invites) =>
      transact(function* () {
        for (const agent of agents) {
          yield agentRow(agent);
          yield* record('agent-added', { agent: agent.id });
        }
        for (const invite of invites) {
          yield inviteRow(invite);
          yield* record('invite-added', { agent: invite.agent });
        }
      }),
    setRole: (agent, role) =>
      change('agent-role-set', { agent }, 'UPDATE agent SET role = $2 WHERE id = $1 RETURNING 1', [
        agent,
        role,
      ]),
    setSubject: (agent, subject) =>
      change(
        'agent-identified',
        { agent },
        'UPDATE agent SET subject = $2 WHERE id = $1 RETURNING 1',
        [agent, subject],
      ),
    removeAgent: (agent) =>
      change('agent-removed', { agent }, 'DELETE FROM agent WHERE id = $1 RETURNING 1', [agent]),
    addInvite: (invite) => insert('invite-added', { agent: invite.agent }, ...inviteRow(invite)),
    invites: () => list(`SELECT ${columns.invite} FROM invite ORDER BY expires_at`, toInvite),
    revokeInvites: (agent) =>
      change('invite-revoked', { agent }, 'DELETE FROM invite WHERE agent = $1 RETURNING 1', [
        agent,
      ]),
    redeemInvite: (id, hash, token) =>
      transact(function* () {
        const [row] = yield [
          `SELECT ${columns.invite} FROM invite WHERE id = $1 AND expires_at > clock()${dialect.forUpdate}`,
          [id],
        ];
        const invite = row && toInvite(row);
        if (invite === undefined || !sameHash(invite.hash, hash)) return false;
        const { agent } = invite;
        yield ['DELETE FROM invite WHERE id = $1', [id]];
        yield tokenRow({ ...token, agent });
        yield* record('invite-redeemed', { agent, token: token.id });
        return true;
      }),
    tokens: () => list(`SELECT ${columns.token} FROM token ORDER BY signed_in_at`, toToken),
    revokeToken: (id) => change('token-revoked', { token: id }, dialect.revokeToken, [id]),
    countMonth: async (month, reader) => {
      if (reader !== undefined) {
        await transact(function* () {
          yield* record(`report-read-${month}`, reader);
        });
      }
      return countMonth(month);
    },
    ...dialect.audit,
    keptMonths: async () => {
      const [row] = await read('SELECT months FROM kept_audit');
      return row && Number(row['months']);
    },
    keepAudit: (months) =>
      transact(function* () {
        yield ['DELETE FROM kept_audit'];
        if (months !== undefined) yield ['INSERT INTO kept_audit VALUES (true, $1)', [months]];
        const span = months === undefined ? 'for-ever' : `${String(months)}-months`;
        yield* record(`audit-kept-${span}`, {});
      }),
    putSettings: ({ version, payload, signature, key }) =>
      change(
        'settings-set',
        {},
        `INSERT INTO team_settings VALUES (true, $1, $2, $3, $4)
           ON CONFLICT (only_row) DO UPDATE SET version = excluded.version, payload = excluded.payload,
             signature = excluded.signature, key = excluded.key
             WHERE excluded.version > team_settings.version RETURNING 1`,
        [version, payload, signature, key],
      ),
  };
}
