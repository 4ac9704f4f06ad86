import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import { delay } from '#core/time/delay';
import { monthBefore } from '#relay/rules/audit-month';
import { dayAt } from '#relay/rules/pace';
import { sameHash } from '#relay/rules/token';
import { readMonthCount } from '#relay/store/month-count';
import type { AuditTables } from '#relay/store/sqlite/audit';
import { reading } from '#relay/store/sqlite/database';
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
} from '#relay/store/sqlite/rows';
import { isSameAccount } from '#relay/store/serving';
import type { WriteQueue } from '#relay/store/sqlite/write-queue';
import type {
  AgentRecord,
  ConnectionRecord,
  InviteRecord,
  SealedSecret,
} from '#relay/store/records';
import type { AdminStore, StoreClocks } from '#relay/store/store';

/** SQLite asks for the write lock again after this time at the latest. */
const pauseMs = 100;

const connectionColumns =
  'id, name, base_address, key_placement, encoding, request_limit, window_ms, allow_private, roles, marketplace, store';
const connectionValues = (one: ConnectionRecord): SQLInputValue[] => [
  one.id,
  one.name,
  one.baseAddress,
  one.keyPlacement,
  one.encoding,
  one.limit,
  one.windowMs,
  one.allowPrivate ? 1 : 0,
  one.roles.join(' '),
  one.marketplace ?? null,
  one.store ?? null,
];

/** Creates what the administrator's command line does with the store. */
export function createAdminStore(
  database: DatabaseSync,
  { write }: WriteQueue,
  audit: AuditTables,
  { now }: StoreClocks,
): AdminStore {
  /** Reads without the write lock, which the relay may need at the same time. */
  const list = <T>(sql: string, read: (row: Record<string, unknown>) => T): Promise<readonly T[]> =>
    reading(() => database.prepare(sql).all().map(read))();
  /** Runs a change with its audit row; false when no row was there to change. */
  const change = (
    result: string,
    subject: Parameters<AuditTables['add']>[2],
    sql: string,
    ...values: SQLInputValue[]
  ): Promise<boolean> =>
    write(() => {
      if (database.prepare(sql).run(...values).changes === 0) return false;
      audit.add('admin', result, subject);
      return true;
    });
  const insert = async (...args: Parameters<typeof change>): Promise<void> => {
    await change(...args);
  };
  /** Lets the relay write between two portions. Returns the months that it has deleted. */
  const deleteTakenOut = async (): Promise<ReadonlySet<string>> => {
    const months = new Set<string>();
    for (;;) {
      const month = await write(() => audit.deleteTakenOut());
      if (month === undefined) return months;
      months.add(month);
      await delay(pauseMs);
    }
  };
  const dropReplies = database.prepare("DELETE FROM cached_reply WHERE key GLOB ? || ':*'");
  const agentSql = 'INSERT INTO agent (id, email, role, subject) VALUES (?, ?, ?, ?)';
  const agentValues = ({ id, email, role, subject }: AgentRecord): (string | null)[] => [
    id,
    email,
    role,
    subject ?? null,
  ];
  const dropAuditBefore = async (month: string, actor?: string): Promise<readonly string[]> => {
    // What an earlier drop has left, since it was broken off.
    const left = await deleteTakenOut();
    await write(() => {
      if (!audit.takeOutBefore(month)) return;
      audit.add('admin', `audit-dropped-before-${month}`, actor === undefined ? {} : { actor });
    });
    return [...left.union(await deleteTakenOut())].toSorted();
  };
  const keptMonths = reading((): number | undefined => {
    const row = database.prepare('SELECT months FROM kept_audit').get();
    return row && Number(row['months']);
  });
  const inviteSql = 'INSERT INTO invite VALUES (?, ?, ?, ?, ?)';
  const inviteValues = (invite: InviteRecord): (string | number | Uint8Array)[] => {
    const { id, agent, hash, createdAt, expiresAt } = invite;
    return [id, agent, hash, createdAt, expiresAt];
  };
  const putSecret = (secret: SealedSecret): void => {
    database
      .prepare('INSERT OR REPLACE INTO secret VALUES (?, ?, ?)')
      .run(secret.name, secret.masterKeyId, secret.wrapped);
  };

  return {
    connections: () =>
      list(`SELECT ${columns.connection} FROM connection ORDER BY id`, toConnection),
    addConnection: (connection) =>
      insert(
        'connection-added',
        { connection: connection.id },
        `INSERT INTO connection (${connectionColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...connectionValues(connection),
      ),
    editConnection: (connection) =>
      write(() => {
        const { id } = connection;
        const row = database
          .prepare(`SELECT ${columns.connection} FROM connection WHERE id = ?`)
          .get(id);
        if (row === undefined) return false;
        database
          .prepare(
            `UPDATE connection SET (${connectionColumns}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`,
          )
          .run(...connectionValues(connection), id);
        if (!isSameAccount(toConnection(row), connection)) {
          database.prepare('DELETE FROM connection_key WHERE connection = ?').run(id);
          dropReplies.run(id);
        }
        audit.add('admin', 'connection-edited', { connection: id });
        return true;
      }),
    removeConnection: (id) =>
      write(() => {
        if (database.prepare('DELETE FROM connection WHERE id = ?').run(id).changes === 0)
          return false;
        dropReplies.run(id);
        audit.add('admin', 'connection-removed', { connection: id });
        return true;
      }),
    putKey: (key) =>
      write(() => {
        database
          .prepare('INSERT OR REPLACE INTO connection_key VALUES (?, ?, ?, ?, ?)')
          .run(key.connection, key.version, key.masterKeyId, key.wrappedDataKey, key.sealed);
        audit.add('admin', 'key-set', { connection: key.connection });
      }),
    keys: () => list(`SELECT ${columns.key} FROM connection_key ORDER BY connection`, toKey),
    rewrap: (keys, secrets) =>
      write(() => {
        let count = secrets.length;
        for (const { connection, before, masterKeyId, wrappedDataKey } of keys) {
          const { changes } = database
            .prepare(
              'UPDATE connection_key SET master_key_id = ?, wrapped_data_key = ? WHERE connection = ? AND wrapped_data_key = ?',
            )
            .run(masterKeyId, wrappedDataKey, connection, before);
          count += Number(changes);
        }
        secrets.forEach(putSecret);
        if (count > 0) audit.add('admin', 'master-key-rotated');
        return count;
      }),
    addSecrets: (secrets) =>
      write(() => {
        if (database.prepare('SELECT 1 FROM secret').get() === undefined)
          secrets.forEach(putSecret);
      }),
    roles: () => list('SELECT name, sees FROM role ORDER BY name', toRole),
    putRole: ({ name, sees }) =>
      insert(
        'role-set',
        {},
        'INSERT INTO role (name, sees) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET sees = excluded.sees',
        name,
        sees.join(' '),
      ),
    quotas: reading(() => ({
      roles: database
        .prepare(
          'SELECT name AS role, quota AS calls FROM role WHERE quota IS NOT NULL ORDER BY name',
        )
        .all()
        .map(toRoleQuota),
      agents: database
        .prepare(
          `SELECT agent.id AS agent, coalesce(agent.quota, role.quota) AS calls, coalesce(day_calls.calls, 0) AS today
             FROM agent JOIN role ON role.name = agent.role
               LEFT JOIN day_calls ON day_calls.agent = agent.id AND day = ?
             WHERE coalesce(agent.quota, role.quota) IS NOT NULL ORDER BY email`,
        )
        .all(dayAt(now()))
        .map(toAgentQuota),
    })),
    setQuota: (of, calls) =>
      'agent' in of
        ? change(
            'agent-quota-set',
            of,
            'UPDATE agent SET quota = ? WHERE id = ?',
            calls ?? null,
            of.agent,
          )
        : change(
            'role-quota-set',
            {},
            'UPDATE role SET quota = ? WHERE name = ?',
            calls ?? null,
            of.role,
          ),
    agents: () => list('SELECT id, email, role, subject FROM agent ORDER BY email', toAgent),
    addAgent: (agent) =>
      insert('agent-added', { agent: agent.id }, agentSql, ...agentValues(agent)),
    importAgents: (agents, invites) =>
      write(() => {
        for (const agent of agents) {
          database.prepare(agentSql).run(...agentValues(agent));
          audit.add('admin', 'agent-added', { agent: agent.id });
        }
        for (const invite of invites) {
          database.prepare(inviteSql).run(...inviteValues(invite));
          audit.add('admin', 'invite-added', { agent: invite.agent });
        }
      }),
    setRole: (agent, role) =>
      change('agent-role-set', { agent }, 'UPDATE agent SET role = ? WHERE id = ?', role, agent),
    setSubject: (agent, subject) =>
      change(
        'agent-identified',
        { agent },
        'UPDATE agent SET subject = ? WHERE id = ?',
        subject,
        agent,
      ),
    removeAgent: (id) =>
      change('agent-removed', { agent: id }, 'DELETE FROM agent WHERE id = ?', id),
    addInvite: (invite) =>
      insert('invite-added', { agent: invite.agent }, inviteSql, ...inviteValues(invite)),
    invites: () => list(`SELECT ${columns.invite} FROM invite ORDER BY expires_at`, toInvite),
    revokeInvites: (agent) =>
      change('invite-revoked', { agent }, 'DELETE FROM invite WHERE agent = ?', agent),
    redeemInvite: (id, hash, { id: tokenId, hash: tokenHash, signedInAt, expiresAt }) =>
      write(() => {
        const row = database.prepare(`SELECT ${columns.invite} FROM invite WHERE id = ?`).get(id);
        const invite = row && toInvite(row);
        if (invite === undefined || invite.expiresAt <= now()) return false;
        if (!sameHash(invite.hash, hash)) return false;
        const { agent } = invite;
        database.prepare('DELETE FROM invite WHERE id = ?').run(id);
        database
          .prepare('INSERT INTO token VALUES (?, ?, ?, ?, ?, 0)')
          .run(tokenId, agent, tokenHash, signedInAt, expiresAt);
        audit.add('admin', 'invite-redeemed', { agent, token: tokenId });
        return true;
      }),
    tokens: () => list(`SELECT ${columns.token} FROM token ORDER BY signed_in_at`, toToken),
    tokenUses: reading((since: number) => audit.tokenUses(since)),
    revokeToken: (id) =>
      change(
        'token-revoked',
        { token: id },
        'UPDATE token SET revoked_at = ? WHERE id = ? AND revoked_at = 0',
        now(),
        id,
      ),
    readAudit: reading((month, use) => {
      audit.read(month, use);
    }),
    countMonth: async (month, reader) => {
      if (reader !== undefined) {
        await write(() => {
          audit.add('admin', `report-read-${month}`, reader);
        });
      }
      return readMonthCount(await audit.count(month));
    },
    keptMonths,
    keepAudit: (months) =>
      write(() => {
        database.exec('DELETE FROM kept_audit');
        if (months !== undefined) {
          database.prepare('INSERT INTO kept_audit VALUES (1, ?)').run(months);
        }
        audit.add(
          'admin',
          `audit-kept-${months === undefined ? 'for-ever' : `${String(months)}-months`}`,
        );
      }),
    dropOldAudit: async () => {
      const months = await keptMonths();
      return months === undefined ? [] : dropAuditBefore(monthBefore(now(), months), 'retention');
    },
    dropAuditBefore: (month) => dropAuditBefore(month),
    putSettings: ({ version, payload, signature, key }) =>
      change(
        'settings-set',
        {},
        `INSERT INTO team_settings VALUES (1, ?, ?, ?, ?)
           ON CONFLICT (only_row) DO UPDATE SET version = excluded.version, payload = excluded.payload,
             signature = excluded.signature, key = excluded.key
             WHERE excluded.version > team_settings.version`,
        version,
        payload,
        signature,
        key,
      ),
  };
}
