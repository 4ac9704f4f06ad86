import { omitUndefined } from '#core/result';
import { sameHash } from '#relay/rules/index';
import { addTokenRow } from '#relay/store/admin-store';
import { auditRow } from '#relay/store/audit';
import type { AgentRecord, InviteRecord, JoinRecord, SignedSettings } from '#relay/store/records';
import { columns, first, recordOf } from '#relay/store/rows';
import { type Database, type Row, type Statement, sql } from '#relay/store/sql';
import { type JoinStore, keepExpiredJoinMs, maxJoins } from '#relay/store/store';

/** Creates what joining does with the store, with the right of whoever serves. */
export function createJoinStore(database: Database): JoinStore {
  const find = async <T>(
    statement: Statement,
    read: (row: Row) => T = recordOf,
  ): Promise<T | undefined> => first((await database.read(statement))[0], read);
  const run = async (...statements: Statement[]): Promise<void> => {
    await database.batch(...statements);
  };

  return {
    // Anybody may begin a join, so that many may come at once.
    beginJoin: database.together<JoinRecord, boolean>((joins) =>
      database.write(function* () {
        const [, , counted] = yield [
          sql`DELETE FROM pending_join WHERE expires_at <= clock() - ${keepExpiredJoinMs}`,
          sql`DELETE FROM join_code WHERE expires_at <= clock()`,
          sql`SELECT count(*) AS live FROM pending_join WHERE expires_at > clock()`,
        ];
        const free = Math.max(0, maxJoins - Number(counted?.[0]?.['live'] ?? maxJoins));
        const begun = joins
          .slice(0, free)
          .map(
            ({ id, hash, state, challenge, expiresAt }) =>
              sql`INSERT INTO pending_join VALUES (${id}, ${hash}, ${state}, ${challenge}, ${expiresAt}, NULL, NULL, 0)`,
          );
        return [joins.map((_, n) => n < free), ...begun];
      }),
    ),
    findJoin: (id) =>
      find<JoinRecord>(sql`SELECT ${columns.join} FROM pending_join WHERE id = ${id}`),
    countWrongInvite: async (id) => {
      const [[row] = []] = await database.batch(
        sql`UPDATE pending_join SET wrong_invites = wrong_invites + 1 WHERE id = ${id} RETURNING wrong_invites AS wrong`,
      );
      return Number(row?.['wrong'] ?? 0);
    },
    findInvite: (id) =>
      find<InviteRecord>(
        sql`SELECT ${columns.invite} FROM invite WHERE id = ${id} AND expires_at > clock()`,
      ),
    identifyJoin: (id, agent, by) =>
      run(sql`UPDATE pending_join SET agent = ${agent}, invite = ${by} WHERE id = ${id}`),
    followGroups: (agent, role) =>
      database.write(function* () {
        const [changed] = yield [
          sql`UPDATE agent SET role = ${role} WHERE id = ${agent} AND role <> ${role} RETURNING id`,
        ];
        if (!changed?.length) return [false];
        return [true, auditRow('admin', 'agent-role-set', { agent, actor: 'sign-in' })];
      }),
    endJoin: (id) => run(sql`DELETE FROM pending_join WHERE id = ${id}`),
    confirmJoin: (id, code) =>
      database.write(function* () {
        const [rows] = yield [
          sql`SELECT ${columns.join} FROM pending_join WHERE id = ${id} AND expires_at > clock() FOR UPDATE`,
        ];
        const { agent, invite, challenge } = first<Partial<JoinRecord>>(rows) ?? {};
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
      database.write<AgentRecord | undefined>(function* () {
        const [rows] = yield [
          sql`SELECT join_code.agent, hash, challenge, email, role FROM join_code JOIN agent ON agent.id = join_code.agent
            WHERE join_code.id = ${id} AND expires_at > clock() FOR UPDATE OF join_code`,
        ];
        const code = first<{
          agent: string;
          hash: Uint8Array;
          challenge: string;
          email: string;
          role: string;
        }>(rows);
        if (code === undefined || !sameHash(code.hash, hash)) return [undefined];
        const use = sql`DELETE FROM join_code WHERE id = ${id}`;
        if (code.challenge !== challenge) return [undefined, use];
        const { agent, email, role } = code;
        const about = omitUndefined({ agent, token: token.id, actor: browser });
        return [
          { id: agent, email, role },
          use,
          addTokenRow({ ...token, agent }),
          auditRow('admin', 'joined', about),
        ];
      }),
    findSettings: () =>
      find<SignedSettings>(sql`SELECT version, payload, signature, key FROM team_settings`),
    settingsVersion: () =>
      find(sql`SELECT version FROM team_settings`, ({ version }) => Number(version)),
  };
}
