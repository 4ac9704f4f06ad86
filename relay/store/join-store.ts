import { omitUndefined } from '#core/result';
import { sameHash } from '#relay/rules/token';
import { type Dialect, tokenRow } from '#relay/store/admin-store';
import type { JoinRecord } from '#relay/store/records';
import { columns, toAgent, toInvite, toJoin, toJoinCode, toSettings } from '#relay/store/rows';
import { type JoinStore, keepExpiredJoinMs, maxJoins } from '#relay/store/store';

/** Creates what joining does with the store, with the right of whoever serves. */
export function createJoinStore(dialect: Dialect): JoinStore {
  const { read, run, transact, record, forUpdate } = dialect;
  /** Finds the one row of a query, read as a record. */
  const find = async <T>(
    toRecord: (row: Readonly<Record<string, unknown>>) => T,
    ...statement: Parameters<typeof read>
  ): Promise<T | undefined> => {
    const [row] = await read(...statement);
    return row && toRecord(row);
  };

  return {
    // Anybody may begin a join, so that many may come at once.
    beginJoin: dialect.together<JoinRecord, boolean>((joins) =>
      transact(function* () {
        yield ['DELETE FROM pending_join WHERE expires_at <= clock() - $1', [keepExpiredJoinMs]];
        yield ['DELETE FROM join_code WHERE expires_at <= clock()'];
        const [count] = yield [
          'SELECT count(*) AS live FROM pending_join WHERE expires_at > clock()',
        ];
        const free = Math.max(0, maxJoins - Number(count?.['live'] ?? maxJoins));
        yield* dialect.insertJoins(joins.slice(0, free));
        return joins.map((_, n) => n < free);
      }),
    ),
    findJoin: (id) => find(toJoin, `SELECT ${columns.join} FROM pending_join WHERE id = $1`, [id]),
    countWrongInvite: async (id) => {
      const [row] = await run(
        `UPDATE pending_join SET wrong_invites = wrong_invites + 1 WHERE id = $1
           RETURNING wrong_invites AS wrong`,
        [id],
      );
      return Number(row?.['wrong'] ?? 0);
    },
    findInvite: (id) =>
      find(
        toInvite,
        `SELECT ${columns.invite} FROM invite WHERE id = $1 AND expires_at > clock()`,
        [id],
      ),
    identifyJoin: async (id, agent, by) => {
      await run('UPDATE pending_join SET agent = $2, invite = $3 WHERE id = $1', [id, agent, by]);
    },
    followGroups: (agent, role) =>
      transact(function* () {
        if ((yield [dialect.followRole, [agent, role]]).length === 0) return false;
        yield* record('agent-role-set', { agent, actor: 'sign-in' });
        return true;
      }),
    endJoin: async (id) => {
      await run('DELETE FROM pending_join WHERE id = $1', [id]);
    },
    confirmJoin: (id, code) =>
      transact(function* () {
        const [row] = yield [
          `SELECT ${columns.join} FROM pending_join WHERE id = $1 AND expires_at > clock()${forUpdate}`,
          [id],
        ];
        const { agent, invite, challenge } = row === undefined ? {} : toJoin(row);
        if (agent === undefined) return false;
        if (invite !== undefined) {
          const used = yield [
            'DELETE FROM invite WHERE id = $1 AND agent = $2 AND expires_at > clock() RETURNING 1',
            [invite, agent],
          ];
          if (used.length === 0) return false;
        }
        yield ['DELETE FROM pending_join WHERE id = $1', [id]];
        yield [
          'INSERT INTO join_code VALUES ($1, $2, $3, $4, $5)',
          [code.id, agent, code.hash, challenge, code.expiresAt],
        ];
        const by = invite === undefined ? 'sign-in' : 'invite';
        yield* record(`join-confirmed-by-${by}`, { agent });
        return true;
      }),
    redeemCode: ({ id, hash }, challenge, token, browser) =>
      transact(function* () {
        const [row] = yield [
          `SELECT agent, hash, challenge FROM join_code WHERE id = $1 AND expires_at > clock()${forUpdate}`,
          [id],
        ];
        const code = row && toJoinCode(row);
        if (code === undefined || !sameHash(code.hash, hash)) return undefined;
        yield ['DELETE FROM join_code WHERE id = $1', [id]];
        if (code.challenge !== challenge) return undefined;
        const { agent } = code;
        yield tokenRow({ ...token, agent });
        const actor = omitUndefined({ actor: browser });
        yield* record('joined', { agent, token: token.id, ...actor });
        const [known] = yield ['SELECT id, email, role FROM agent WHERE id = $1', [agent]];
        return known && toAgent(known);
      }),
    settingsVersion: () =>
      find(({ version }) => Number(version), 'SELECT version FROM team_settings'),
    findSettings: () => find(toSettings, `SELECT ${columns.settings} FROM team_settings`),
  };
}
