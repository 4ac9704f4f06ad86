import { sameHash } from '#relay/rules/token';
import { addToken } from '#relay/store/postgres/admin';
import { addAdminRow } from '#relay/store/postgres/audit';
import type { Database } from '#relay/store/postgres/database';
import { inGroups } from '#relay/store/postgres/groups';
import { columns } from '#relay/store/postgres/rows';
import type {
  AgentRecord,
  InviteRecord,
  JoinCodeRecord,
  JoinRecord,
  SignedSettings,
} from '#relay/store/records';
import { type JoinStore, keepExpiredJoinMs, maxJoins } from '#relay/store/store';
import { withoutNulls } from '#relay/store/serving';

interface JoinCodeRow extends JoinCodeRecord {
  readonly agent: string;
  readonly challenge: string;
}

/** Creates what joining does with the store. */
export function createJoinStore(database: Database): JoinStore {
  const first = async <Row extends object>(
    sql: string,
    ...values: readonly unknown[]
  ): Promise<Row | undefined> => (await database.query<Row>(sql, values))[0];
  const run = async (sql: string, ...values: readonly unknown[]): Promise<void> => {
    await database.query(sql, values);
  };

  return {
    // Anybody may begin a join, so that many may come at once.
    beginJoin: inGroups<JoinRecord, boolean>(
      (joins) =>
        database.transaction(async (session) => {
          await session.query('DELETE FROM pending_join WHERE expires_at <= clock() - $1', [
            keepExpiredJoinMs,
          ]);
          await session.query('DELETE FROM join_code WHERE expires_at <= clock()');
          const [count] = await session.query<{ readonly live: number }>(
            'SELECT count(*) AS live FROM pending_join WHERE expires_at > clock()',
          );
          const free = Math.max(0, maxJoins - (count?.live ?? maxJoins));
          const begun = joins.slice(0, free);
          await session.query(
            `INSERT INTO pending_join (id, hash, state, challenge, expires_at)
               SELECT * FROM unnest ($1::text[], $2::bytea[], $3::text[], $4::text[], $5::bigint[])`,
            [
              begun.map(({ id }) => id),
              begun.map(({ hash }) => hash),
              begun.map(({ state }) => state),
              begun.map(({ challenge }) => challenge),
              begun.map(({ expiresAt }) => expiresAt),
            ],
          );
          return joins.map((_, n) => n < free);
        }),
      { lanes: 1 },
    ),
    findJoin: async (id) => {
      const row = await first(`SELECT ${columns.join} FROM pending_join WHERE id = $1`, id);
      return row && (withoutNulls(row) as JoinRecord);
    },
    countWrongInvite: async (id) => {
      const row = await first<{ readonly wrong: number }>(
        `UPDATE pending_join SET wrong_invites = wrong_invites + 1 WHERE id = $1
           RETURNING wrong_invites AS wrong`,
        id,
      );
      return row?.wrong ?? 0;
    },
    findInvite: (id) =>
      first<InviteRecord>(
        `SELECT ${columns.invite} FROM invite WHERE id = $1 AND expires_at > clock()`,
        id,
      ),
    identifyJoin: (id, agent, by) =>
      run('UPDATE pending_join SET agent = $2, invite = $3 WHERE id = $1', id, agent, by),
    followGroups: (agent, role) =>
      database.transaction(async (session) => {
        const [row] = await session.query<{ readonly changed: boolean }>(
          'SELECT set_agent_role($1, $2) AS changed',
          [agent, role],
        );
        if (row?.changed !== true) return false;
        await addAdminRow(session, 'agent-role-set', { agent, actor: 'sign-in' });
        return true;
      }),
    endJoin: (id) => run('DELETE FROM pending_join WHERE id = $1', id),
    confirmJoin: (id, code) =>
      database.transaction(async (session) => {
        const [join] = await session.query<JoinRecord>(
          `SELECT ${columns.join} FROM pending_join
             WHERE id = $1 AND agent IS NOT NULL AND expires_at > clock() FOR UPDATE`,
          [id],
        );
        if (join?.agent === undefined) return false;
        const invited = (join.invite ?? null) !== null;
        if (invited) {
          const used = await session.query(
            'DELETE FROM invite WHERE id = $1 AND agent = $2 AND expires_at > clock() RETURNING 1',
            [join.invite, join.agent],
          );
          if (used.length === 0) return false;
        }
        await session.query('DELETE FROM pending_join WHERE id = $1', [id]);
        await session.query('INSERT INTO join_code VALUES ($1, $2, $3, $4, $5)', [
          code.id,
          join.agent,
          code.hash,
          join.challenge,
          code.expiresAt,
        ]);
        const by = invited ? 'invite' : 'sign-in';
        await addAdminRow(session, `join-confirmed-by-${by}`, { agent: join.agent });
        return true;
      }),
    redeemCode: ({ id, hash }, challenge, token, browser) =>
      database.transaction(async (session) => {
        const [code] = await session.query<JoinCodeRow>(
          `SELECT id, agent, hash, challenge, expires_at AS "expiresAt" FROM join_code
             WHERE id = $1 AND expires_at > clock() FOR UPDATE`,
          [id],
        );
        if (code === undefined || !sameHash(code.hash, hash)) return undefined;
        await session.query('DELETE FROM join_code WHERE id = $1', [id]);
        if (code.challenge !== challenge) return undefined;
        const { agent } = code;
        await addToken(session, { ...token, agent });
        await addAdminRow(session, 'joined', {
          agent,
          token: token.id,
          ...(browser !== undefined && { actor: browser }),
        });
        const [known] = await session.query<AgentRecord>(
          'SELECT id, email, role FROM agent WHERE id = $1',
          [agent],
        );
        return known;
      }),
    findSettings: () => first<SignedSettings>(`SELECT ${columns.settings} FROM team_settings`),
  };
}
