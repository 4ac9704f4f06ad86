import { sameHash } from '#relay/rules/index';
import { everybody } from '#relay/pace/pace';
import type { About, AdminRow } from '#relay/store/audit';
import type { Stored } from '#relay/store/records';
import { columns, first, reading, toConnection, toRole } from '#relay/store/rows';
import { type Database, type Statement, sql } from '#relay/store/sql';
import type { AdminStore } from '#relay/store/store';

export const addTokenRow = (one: Stored<'token'>): Statement =>
  sql`INSERT INTO token VALUES (${one.id}, ${one.agent}, ${one.hash}, ${one.signedInAt}, ${one.expiresAt}, 0)`;

const connectionColumns = sql`(id, name, base_address, key_placement, encoding, request_limit, window_ms, allow_private,
  roles, marketplace, store)`;
const connectionValues = (one: Stored<'connection'>): Statement =>
  sql`(${one.id}, ${one.name}, ${one.baseAddress}, ${one.keyPlacement}, ${one.encoding}, ${one.limit}, ${one.windowMs},
    ${Number(one.allowPrivate)}, ${one.roles.join(' ')}, ${one.marketplace}, ${one.store})`;

function termsOf(one: Stored<'connection'>): string {
  const { baseAddress, marketplace = [], store = [], limit, windowMs, roles } = one;
  const pace = `${String(limit)} in ${String(windowMs / 1000)} s`;
  return [baseAddress, marketplace, store, pace, roles].flat().join(', ');
}

/** The administrator has fixed the cause, or knows that the seller is back. */
const endPause = (id: string): Statement =>
  sql`UPDATE pace SET version = version + 1, held_until = 0, failures = 0, open_until = 0, probe_until = 0 WHERE connection = ${id}`;
const dropReplies = (id: string): Statement =>
  sql`DELETE FROM cached_reply WHERE connection = ${id}`;

type Changes = ReturnType<typeof createChanges>;

/** Creates the writing functions for all parts of the store: a change and its audit row are one transaction. */
function createChanges(database: Database, admin: AdminRow) {
  /** Runs a change with its audit row; false if it changes nothing. @param anyway also on a full disk, for changes that revoke rights */
  const change = (result: string, about: About, statement: Statement, anyway = false) =>
    database.write<boolean>(function* () {
      const [changed] = yield [sql`${statement} RETURNING 1`];
      return changed?.length ? [true, admin(result, about)] : [false];
    }, anyway);
  const takeAway = (result: string, about: About, statement: Statement) =>
    change(result, about, statement, true);
  return { database, admin, all: reading(database).all, change, takeAway };
}

export function createAdminStore(database: Database, admin: AdminRow): AdminStore {
  const changes = createChanges(database, admin);
  return { ...createConnections(changes), ...createAgents(changes), ...createAccess(changes) };
}

/** Connections and their API keys. */
function createConnections({ database, admin, all }: Changes) {
  return {
    connections: () =>
      all(sql`SELECT ${columns.connection} FROM connection ORDER BY id`, toConnection),
    addConnection: (one) =>
      database.batch(
        sql`INSERT INTO connection ${connectionColumns} VALUES ${connectionValues(one)}`,
        sql`INSERT INTO pace VALUES (${one.id}, 0, 0, 0, 0, '[]', 0, 0, 0, ${everybody}, 0)`,
        admin(`connection-added ${termsOf(one)}`, { connection: one.id }),
      ),
    editConnection: (one) =>
      database.write(function* () {
        const [rows] = yield [
          sql`SELECT ${columns.connection} FROM connection WHERE id = ${one.id} FOR UPDATE`,
        ];
        const before = first(rows, toConnection);
        if (before === undefined) return [false];
        const place = ['baseAddress', 'marketplace', 'store'] as const;
        const gone = place.every((part) => before[part] === one[part])
          ? []
          : [sql`DELETE FROM connection_key WHERE connection = ${one.id}`, dropReplies(one.id)];
        return [
          true,
          sql`UPDATE connection SET ${connectionColumns} = ${connectionValues(one)} WHERE id = ${one.id}`,
          ...gone,
          endPause(one.id),
          admin(`connection-edited ${termsOf(one)}`, { connection: one.id }),
        ];
      }),
    removeConnection: (id) =>
      database.write(function* () {
        const [removed] = yield [sql`DELETE FROM connection WHERE id = ${id} RETURNING 1`];
        if (!removed?.length) return [false];
        return [true, dropReplies(id), admin('connection-removed', { connection: id })];
      }, true),
    putKey: ({ connection, version, masterKeyId, wrappedDataKey, sealed }) => {
      // The key is identified by the random bytes of its encryption, because a connection that is added again restarts at version 1.
      const name = Buffer.from(sealed.subarray(0, 12)).toString('hex');
      return database.batch(
        sql`INSERT INTO connection_key
            VALUES (${connection}, ${version}, ${name}, ${masterKeyId}, ${wrappedDataKey}, ${sealed})
          ON CONFLICT (connection) DO UPDATE SET version = excluded.version, key_name = excluded.key_name,
            master_key_id = excluded.master_key_id, wrapped_data_key = excluded.wrapped_data_key, sealed = excluded.sealed`,
        endPause(connection),
        admin('key-set', { connection }),
      );
    },
    keys: () => all(sql`SELECT ${columns.key} FROM connection_key ORDER BY connection`),
    rewrap: (keys, secrets) =>
      database.write(function* () {
        const changed = yield [
          ...keys.map(
            ({ connection, masterKeyId, wrappedDataKey, before }) =>
              sql`UPDATE connection_key SET master_key_id = ${masterKeyId}, wrapped_data_key = ${wrappedDataKey}
                WHERE connection = ${connection} AND wrapped_data_key = ${before} RETURNING 1`,
          ),
          ...secrets.map(
            ({ name, masterKeyId, wrapped }) =>
              sql`UPDATE secret SET master_key_id = ${masterKeyId}, wrapped = ${wrapped} WHERE name = ${name} RETURNING 1`,
          ),
        ];
        const count = changed.flat().length;
        return [count, ...(count > 0 ? [admin('master-key-rotated')] : [])];
      }),
    addSecrets: (secrets) =>
      database.batch(
        ...secrets.map(
          ({ name, masterKeyId, wrapped }) =>
            sql`INSERT INTO secret VALUES (${name}, ${masterKeyId}, ${wrapped}) ON CONFLICT DO NOTHING`,
        ),
      ),
  } satisfies Partial<AdminStore>;
}

/** Agents with their roles and quotas. */
function createAgents({ database, admin, all, change, takeAway }: Changes) {
  return {
    roles: () => all(sql`SELECT name, sees, quota FROM role ORDER BY name`, toRole),
    putRole: ({ name, maySee }) =>
      database.batch(
        sql`INSERT INTO role (name, sees) VALUES (${name}, ${maySee.join(' ')})
          ON CONFLICT (name) DO UPDATE SET sees = excluded.sees`,
        admin(`role-set ${name}: ${maySee.join(' ') || 'nothing'}`),
      ),
    setQuota: (of, calls) =>
      'agent' in of
        ? change(
            `agent-quota-set ${String(calls ?? 'none')}`,
            of,
            sql`UPDATE agent SET quota = ${calls} WHERE id = ${of.agent}`,
          )
        : change(
            `role-quota-set ${of.role}: ${String(calls ?? 'none')}`,
            {},
            sql`UPDATE role SET quota = ${calls} WHERE name = ${of.role}`,
          ),
    agents: () =>
      all(
        sql`SELECT agent.id AS id, email, role, subject, coalesce(agent.quota, role.quota) AS quota, calls AS today
          FROM agent JOIN role ON role.name = agent.role
            LEFT JOIN day_calls ON day_calls.agent = agent.id AND day = CAST(floor(clock() / 86400000) AS bigint)
          ORDER BY email`,
      ),
    addAgent: ({ id, email, role, subject }) =>
      database.batch(
        sql`INSERT INTO agent (id, email, role, subject) VALUES (${id}, ${email}, ${role}, ${subject})`,
        admin('agent-added', { agent: id }),
      ),
    setRole: (agent, role) =>
      takeAway(
        `agent-role-set ${role}`,
        { agent },
        sql`UPDATE agent SET role = ${role} WHERE id = ${agent}`,
      ),
    setSubject: (agent, subject) =>
      change(
        'agent-identified',
        { agent },
        sql`UPDATE agent SET subject = ${subject} WHERE id = ${agent}`,
      ),
    removeAgent: (agent) =>
      takeAway('agent-removed', { agent }, sql`DELETE FROM agent WHERE id = ${agent}`),
  } satisfies Partial<AdminStore>;
}

/** Invites, tokens and the team's settings. */
function createAccess({ database, admin, all, change, takeAway }: Changes) {
  return {
    addInvite: ({ id, agent, hash, createdAt, expiresAt }) =>
      database.batch(
        sql`INSERT INTO invite VALUES (${id}, ${agent}, ${hash}, ${createdAt}, ${expiresAt})`,
        admin('invite-added', { agent }),
      ),
    invites: () => all(sql`SELECT ${columns.invite} FROM invite ORDER BY expires_at`),
    revokeInvites: (agent) =>
      takeAway('invite-revoked', { agent }, sql`DELETE FROM invite WHERE agent = ${agent}`),
    redeemInvite: (id, hash, token) =>
      database.write(function* () {
        const [rows] = yield [
          sql`SELECT ${columns.invite} FROM invite WHERE id = ${id} AND expires_at > clock() FOR UPDATE`,
        ];
        const invite = first<Stored<'invite'>>(rows);
        if (invite === undefined || !sameHash(invite.hash, hash)) return [false];
        const { agent } = invite;
        return [
          true,
          sql`DELETE FROM invite WHERE id = ${id}`,
          addTokenRow({ ...token, agent }),
          admin('invite-redeemed', { agent, token: token.id }),
        ];
      }),
    tokens: () => {
      const uses = sql`FROM audit WHERE audit.token = token.id AND kind = 'reply' AND result NOT IN ('withheld', 'not-begun')`;
      return all(
        sql`SELECT ${columns.token}, (SELECT at ${uses} ORDER BY audit.id LIMIT 1) AS "firstAt",
          (SELECT at ${uses} ORDER BY audit.id DESC LIMIT 1) AS "lastAt",
          (SELECT max(actor) FROM audit WHERE audit.token = token.id AND kind = 'admin'
            AND result IN ('joined', 'invite-redeemed')) AS actor
          FROM token ORDER BY signed_in_at`,
      );
    },
    revokeToken: (id) =>
      takeAway(
        'token-revoked',
        { token: id },
        sql`UPDATE token SET revoked_at = CAST(floor(clock()) AS bigint) WHERE id = ${id} AND revoked_at = 0`,
      ),
    putSettings: ({ version, payload, signature, key }) =>
      change(
        'settings-set',
        {},
        sql`INSERT INTO team_settings VALUES (1, ${version}, ${payload}, ${signature}, ${key})
          ON CONFLICT (only_row) DO UPDATE SET version = excluded.version, payload = excluded.payload,
            signature = excluded.signature, key = excluded.key
            WHERE excluded.version > team_settings.version`,
      ),
  } satisfies Partial<AdminStore>;
}
