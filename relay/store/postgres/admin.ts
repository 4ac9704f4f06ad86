import { sameHash } from '#relay/rules/token';
import {
  addAdminRow,
  countMonth,
  dropAuditBefore,
  dropOldAudit,
  readAudit,
  readTokenUses,
} from '#relay/store/postgres/audit';
import type { Database, Session } from '#relay/store/postgres/database';
import {
  columns,
  type ConnectionRow,
  type RoleRow,
  toConnection,
  toRole,
} from '#relay/store/postgres/rows';
import type {
  AgentRecord,
  AuditSubject,
  ConnectionRecord,
  InviteRecord,
  Quotas,
  SealedKey,
  SealedSecret,
  TokenRecord,
} from '#relay/store/records';
import { isSameAccount, withoutNulls } from '#relay/store/serving';
import type { AdminStore } from '#relay/store/store';

const connectionColumns =
  'id, name, base_address, key_placement, encoding, request_limit, window_ms, allow_private, roles, marketplace, store';
const connectionValues = (one: ConnectionRecord): readonly unknown[] => [
  one.id,
  one.name,
  one.baseAddress,
  one.keyPlacement,
  one.encoding,
  one.limit,
  one.windowMs,
  one.allowPrivate,
  one.roles.join(' '),
  one.marketplace ?? null,
  one.store ?? null,
];
const dropRepliesSql = "DELETE FROM cached_reply WHERE starts_with(key, $1 || ':')";
const agentSql = 'INSERT INTO agent (id, email, role, subject) VALUES ($1, $2, $3, $4)';
const agentValues = ({ id, email, role, subject }: AgentRecord): readonly unknown[] => [
  id,
  email,
  role,
  subject,
];
const inviteSql = 'INSERT INTO invite VALUES ($1, $2, $3, $4, $5)';
const inviteValues = (invite: InviteRecord): readonly unknown[] => {
  const { id, agent, hash, createdAt, expiresAt } = invite;
  return [id, agent, hash, createdAt, expiresAt];
};

/** Creates what the administrator's command line does with the store. All but `addSecrets`, `countMonth`, `dropOldAudit` and `revokeToken` needs the owner's role. */
export function createAdminStore(database: Database, operator?: string): AdminStore {
  const by = operator === undefined ? {} : { actor: operator };
  const record = (
    session: Session,
    result: string,
    subject: Partial<AuditSubject> = {},
  ): Promise<void> => addAdminRow(session, result, { ...subject, ...by });
  /** Runs a change with its audit row; false when no row was there to change. */
  const change = (
    result: string,
    subject: Partial<AuditSubject>,
    sql: string,
    values: readonly unknown[],
  ): Promise<boolean> =>
    database.transaction(async (session) => {
      const changed = await session.query(`${sql} RETURNING 1`, values);
      if (changed.length === 0) return false;
      await record(session, result, subject);
      return true;
    });
  const insert = async (...args: Parameters<typeof change>): Promise<void> => {
    await change(...args);
  };

  return {
    connections: async () => {
      const rows = await database.query<ConnectionRow>(
        `SELECT ${columns.connection} FROM connection ORDER BY id`,
      );
      return rows.map(toConnection);
    },
    addConnection: (connection) =>
      database.transaction(async (session) => {
        const { id } = connection;
        await session.query(
          `INSERT INTO connection (${connectionColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
          connectionValues(connection),
        );
        await session.query('INSERT INTO pace (connection) VALUES ($1)', [id]);
        await record(session, 'connection-added', { connection: id });
      }),
    editConnection: (connection) =>
      database.transaction(async (session) => {
        const { id } = connection;
        const [before] = await session.query<ConnectionRow>(
          `SELECT ${columns.connection} FROM connection WHERE id = $1 FOR UPDATE`,
          [id],
        );
        if (before === undefined) return false;
        await session.query(
          `UPDATE connection SET (${connectionColumns}) = ROW($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) WHERE id = $1`,
          connectionValues(connection),
        );
        if (!isSameAccount(toConnection(before), connection)) {
          await session.query('DELETE FROM connection_key WHERE connection = $1', [id]);
          await session.query(dropRepliesSql, [id]);
        }
        await record(session, 'connection-edited', { connection: id });
        return true;
      }),
    removeConnection: (id) =>
      database.transaction(async (session) => {
        const removed = await session.query('DELETE FROM connection WHERE id = $1 RETURNING 1', [
          id,
        ]);
        if (removed.length === 0) return false;
        await session.query(dropRepliesSql, [id]);
        await record(session, 'connection-removed', { connection: id });
        return true;
      }),
    putKey: (key) =>
      database.transaction(async (session) => {
        await session.query(
          `INSERT INTO connection_key VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (connection) DO UPDATE SET version = excluded.version, master_key_id = excluded.master_key_id,
               wrapped_data_key = excluded.wrapped_data_key, sealed = excluded.sealed`,
          [key.connection, key.version, key.masterKeyId, key.wrappedDataKey, key.sealed],
        );
        await record(session, 'key-set', { connection: key.connection });
      }),
    keys: () =>
      database.query<SealedKey>(`SELECT ${columns.key} FROM connection_key ORDER BY connection`),
    rewrap: (keys, secrets) =>
      database.transaction(async (session) => {
        let count = 0;
        for (const { connection, before, masterKeyId, wrappedDataKey } of keys) {
          const changed = await session.query(
            `UPDATE connection_key SET master_key_id = $3, wrapped_data_key = $4
               WHERE connection = $1 AND wrapped_data_key = $2 RETURNING 1`,
            [connection, before, masterKeyId, wrappedDataKey],
          );
          count += changed.length;
        }
        for (const { name, masterKeyId, wrapped } of secrets) {
          const changed = await session.query(
            'UPDATE secret SET master_key_id = $2, wrapped = $3 WHERE name = $1 RETURNING 1',
            [name, masterKeyId, wrapped],
          );
          count += changed.length;
        }
        if (count > 0) await record(session, 'master-key-rotated');
        return count;
      }),
    addSecrets: async (secrets) => {
      await database.transaction((session) => addSecrets(session, secrets));
    },
    roles: async () =>
      (await database.query<RoleRow>('SELECT name, sees FROM role ORDER BY name')).map(toRole),
    putRole: ({ name, sees }) =>
      insert(
        'role-set',
        {},
        'INSERT INTO role (name, sees) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET sees = excluded.sees',
        [name, sees.join(' ')],
      ),
    quotas: async () => ({
      roles: await database.query<Quotas['roles'][number]>(
        'SELECT name AS role, quota AS calls FROM role WHERE quota IS NOT NULL ORDER BY name',
      ),
      agents: await database.query<Quotas['agents'][number]>(
        `SELECT agent.id AS agent, coalesce(agent.quota, role.quota) AS calls, coalesce(day_calls.calls, 0) AS today
           FROM agent JOIN role ON role.name = agent.role
             LEFT JOIN day_calls ON day_calls.agent = agent.id AND day = floor(clock() / 86400000)::bigint
           WHERE coalesce(agent.quota, role.quota) IS NOT NULL ORDER BY email`,
      ),
    }),
    setQuota: (of, calls) =>
      'agent' in of
        ? change('agent-quota-set', of, 'UPDATE agent SET quota = $2 WHERE id = $1', [
            of.agent,
            calls,
          ])
        : change('role-quota-set', {}, 'UPDATE role SET quota = $2 WHERE name = $1', [
            of.role,
            calls,
          ]),
    agents: async () => {
      const rows = await database.query(
        'SELECT id, email, role, subject FROM agent ORDER BY email',
      );
      return rows.map((row) => withoutNulls(row) as AgentRecord);
    },
    addAgent: (agent) => insert('agent-added', { agent: agent.id }, agentSql, agentValues(agent)),
    importAgents: (agents, invites) =>
      database.transaction(async (session) => {
        for (const agent of agents) {
          await session.query(agentSql, agentValues(agent));
          await record(session, 'agent-added', { agent: agent.id });
        }
        for (const invite of invites) {
          await session.query(inviteSql, inviteValues(invite));
          await record(session, 'invite-added', { agent: invite.agent });
        }
      }),
    setRole: (agent, role) =>
      change('agent-role-set', { agent }, 'UPDATE agent SET role = $2 WHERE id = $1', [
        agent,
        role,
      ]),
    setSubject: (agent, subject) =>
      change('agent-identified', { agent }, 'UPDATE agent SET subject = $2 WHERE id = $1', [
        agent,
        subject,
      ]),
    removeAgent: (id) =>
      change('agent-removed', { agent: id }, 'DELETE FROM agent WHERE id = $1', [id]),
    addInvite: (invite) =>
      insert('invite-added', { agent: invite.agent }, inviteSql, inviteValues(invite)),
    invites: () =>
      database.query<InviteRecord>(`SELECT ${columns.invite} FROM invite ORDER BY expires_at`),
    revokeInvites: (agent) =>
      change('invite-revoked', { agent }, 'DELETE FROM invite WHERE agent = $1', [agent]),
    redeemInvite: (id, hash, token) =>
      database.transaction(async (session) => {
        const [invite] = await session.query<InviteRecord>(
          `SELECT ${columns.invite} FROM invite WHERE id = $1 AND expires_at > clock() FOR UPDATE`,
          [id],
        );
        if (invite === undefined || !sameHash(invite.hash, hash)) return false;
        await session.query('DELETE FROM invite WHERE id = $1', [id]);
        await addToken(session, { ...token, agent: invite.agent });
        await record(session, 'invite-redeemed', { agent: invite.agent, token: token.id });
        return true;
      }),
    tokens: () =>
      database.query<TokenRecord>(`SELECT ${columns.token} FROM token ORDER BY signed_in_at`),
    tokenUses: (since) => readTokenUses(database, since),
    revokeToken: (id) =>
      database.transaction(async (session) => {
        const [row] = await session.query<{ readonly revoked: boolean }>(
          'SELECT revoke_token($1) AS revoked',
          [id],
        );
        if (row?.revoked !== true) return false;
        await record(session, 'token-revoked', { token: id });
        return true;
      }),
    readAudit: (month, use) => readAudit(database, month, use),
    countMonth: async (month, reader) => {
      if (reader !== undefined) {
        await database.transaction((session) =>
          addAdminRow(session, `report-read-${month}`, reader),
        );
      }
      return countMonth(database, month);
    },
    keptMonths: async () => {
      const [row] = await database.query<{ readonly months: number }>(
        'SELECT months FROM kept_audit',
      );
      return row?.months;
    },
    keepAudit: (months) =>
      database.transaction(async (session) => {
        await session.run('DELETE FROM kept_audit');
        if (months !== undefined) {
          await session.query('INSERT INTO kept_audit VALUES (true, $1)', [months]);
        }
        await record(
          session,
          `audit-kept-${months === undefined ? 'for-ever' : `${String(months)}-months`}`,
        );
      }),
    dropOldAudit: () => dropOldAudit(database),
    dropAuditBefore: (month) => dropAuditBefore(database, month, undefined, by),
    putSettings: ({ version, payload, signature, key }) =>
      change(
        'settings-set',
        {},
        `INSERT INTO team_settings VALUES (true, $1, $2, $3, $4)
           ON CONFLICT (only_row) DO UPDATE SET version = excluded.version, payload = excluded.payload,
             signature = excluded.signature, key = excluded.key
             WHERE excluded.version > team_settings.version`,
        [version, payload, signature, key],
      ),
  };
}

/** Stores a token whose agent is known. */
export async function addToken(session: Session, token: TokenRecord): Promise<void> {
  const { id, agent, hash, signedInAt, expiresAt } = token;
  await session.query('INSERT INTO token VALUES ($1, $2, $3, $4, $5, 0)', [
    id,
    agent,
    hash,
    signedInAt,
    expiresAt,
  ]);
}

/** Of two instances that start at once, the later finds the secrets of the earlier. */
async function addSecrets(session: Session, secrets: readonly SealedSecret[]): Promise<void> {
  for (const { name, masterKeyId, wrapped } of secrets) {
    await session.query('INSERT INTO secret VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
      name,
      masterKeyId,
      wrapped,
    ]);
  }
}
