import { sameHash } from '#relay/rules/index';
import { addTokenRow } from '#relay/store/admin-store';
import { auditRow } from '#relay/store/audit';
import type { Stored } from '#relay/store/records';
import { columns, first, reading } from '#relay/store/rows';
import { type Database, type Statement, sql } from '#relay/store/sql';
import type { JoinStore } from '#relay/store/store';

/** The limit of simultaneous joins, since anybody may begin one. */
export const maxJoins = 2_000;
/** How long a join is kept after its expiry, in milliseconds, so that its page can explain what happened. */
export const keepExpiredJoinMs = 3_600_000;

const addJoinRow = (one: Stored<'join'>): Statement =>
  sql`INSERT INTO pending_join VALUES (${one.id}, ${one.hash}, ${one.state}, ${one.challenge}, ${one.expiresAt}, NULL, NULL, 0)`;

export function createJoinStore(database: Database): JoinStore {
  const { one } = reading(database);

  return {
    beginJoin: database.together((joins) =>
      database.write(function* () {
        const [, , counted] = yield [
          sql`DELETE FROM pending_join WHERE expires_at <= clock() - ${keepExpiredJoinMs}`,
          sql`DELETE FROM join_code WHERE expires_at <= clock()`,
          sql`SELECT count(*) AS live FROM pending_join WHERE expires_at > clock()`,
        ];
        const free = Math.max(0, maxJoins - Number(counted?.[0]?.['live'] ?? maxJoins));
        return [joins.map((_, n) => n < free), ...joins.slice(0, free).map(addJoinRow)];
      }),
    ),
    findJoin: (id) => one(sql`SELECT ${columns.join} FROM pending_join WHERE id = ${id}`),
    countWrongInvite: (id) =>
      database.write(function* () {
        const [rows] = yield [
          sql`UPDATE pending_join SET wrong_invites = wrong_invites + 1 WHERE id = ${id} RETURNING wrong_invites AS wrong`,
        ];
        return [Number(rows?.[0]?.['wrong'] ?? 0)];
      }),
    findInvite: (id) =>
      one(sql`SELECT ${columns.invite} FROM invite WHERE id = ${id} AND expires_at > clock()`),
    identifyJoin: (id, agent, by) =>
      database.batch(
        sql`UPDATE pending_join SET agent = ${agent}, invite = ${by} WHERE id = ${id}`,
      ),
    followGroups: (agent, role) =>
      database.write(function* () {
        const [changed] = yield [
          sql`UPDATE agent SET role = ${role} WHERE id = ${agent} AND role <> ${role} RETURNING id`,
        ];
        if (!changed?.length) return [false];
        return [true, auditRow('admin', `agent-role-set ${role}`, { agent, actor: 'sign-in' })];
      }),
    endJoin: (id) => database.batch(sql`DELETE FROM pending_join WHERE id = ${id}`),
    confirmJoin: (id, code) =>
      database.write(function* () {
        const [rows] = yield [
          sql`SELECT ${columns.join} FROM pending_join WHERE id = ${id} AND expires_at > clock() FOR UPDATE`,
        ];
        const { agent, invite, challenge } = first<Partial<Stored<'join'>>>(rows) ?? {};
        if (agent === undefined) return [false];
        if (invite !== undefined) {
          const [used] = yield [
            sql`DELETE FROM invite WHERE id = ${invite} AND agent = ${agent} AND expires_at > clock() RETURNING 1`,
          ];
          if (!used?.length) return [false];
        }
        const by = invite === undefined ? 'sign-in' : 'invite';
        return [
          true,
          sql`DELETE FROM pending_join WHERE id = ${id}`,
          sql`INSERT INTO join_code VALUES (${code.id}, ${agent}, ${code.hash}, ${challenge}, ${code.expiresAt})`,
          auditRow('admin', `join-confirmed-by-${by}`, { agent }),
        ];
      }),
    redeemCode: ({ id, hash }, challenge, token, browser) =>
      database.write(function* () {
        const [rows] = yield [
          sql`SELECT join_code.agent AS id, hash, challenge, email, role FROM join_code JOIN agent ON agent.id = join_code.agent
            WHERE join_code.id = ${id} AND expires_at > clock() FOR UPDATE OF join_code`,
        ];
        const code = first<Stored<'agent'> & Pick<Stored<'join'>, 'hash' | 'challenge'>>(rows);
        if (code === undefined || !sameHash(code.hash, hash)) return [undefined];
        const use = sql`DELETE FROM join_code WHERE id = ${id}`;
        if (code.challenge !== challenge) return [undefined, use];
        const { id: agent, email, role } = code;
        return [
          { id: agent, email, role },
          use,
          addTokenRow({ ...token, agent }),
          auditRow('admin', 'joined', { agent, token: token.id, actor: browser }),
        ];
      }),
    findSettings: () => one(sql`SELECT version, payload, signature, key FROM team_settings`),
    settingsKey: () => one(sql`SELECT key FROM team_settings`, ({ key }) => String(key)),
  };
}
