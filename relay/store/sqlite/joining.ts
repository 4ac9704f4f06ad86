import type { DatabaseSync } from 'node:sqlite';

import { sameHash } from '#relay/rules/token';
import type { AuditTables } from '#relay/store/sqlite/audit';
import { reading } from '#relay/store/sqlite/database';
import {
  columns,
  toAgent,
  toInvite,
  toJoin,
  toJoinCode,
  toSettings,
} from '#relay/store/sqlite/rows';
import type { WriteQueue } from '#relay/store/sqlite/write-queue';
import type { InviteRecord } from '#relay/store/records';
import { type JoinStore, keepExpiredJoinMs, maxJoins, type StoreClocks } from '#relay/store/store';

/** Creates what joining does with the store. */
export function createJoinStore(
  database: DatabaseSync,
  { write }: WriteQueue,
  audit: AuditTables,
  { now }: StoreClocks,
): JoinStore {
  const get = (sql: string, ...values: string[]): Record<string, unknown> | undefined =>
    database.prepare(sql).get(...values);
  const run = (sql: string, ...values: (string | number | Uint8Array | null)[]): number =>
    Number(database.prepare(sql).run(...values).changes);
  const invite = (id: string): InviteRecord | undefined => {
    const row = get(`SELECT ${columns.invite} FROM invite WHERE id = ?`, id);
    const found = row && toInvite(row);
    return found !== undefined && found.expiresAt > now() ? found : undefined;
  };

  return {
    beginJoin: ({ id, hash, state, challenge, expiresAt }) =>
      write(() => {
        run('DELETE FROM pending_join WHERE expires_at <= ?', now() - keepExpiredJoinMs);
        run('DELETE FROM join_code WHERE expires_at <= ?', now());
        const { live } = database
          .prepare('SELECT count(*) AS live FROM pending_join WHERE expires_at > ?')
          .get(now()) as { readonly live: number };
        if (live >= maxJoins) return false;
        run(
          'INSERT INTO pending_join VALUES (?, ?, ?, ?, ?, NULL, NULL, 0)',
          id,
          hash,
          state,
          challenge,
          expiresAt,
        );
        return true;
      }),
    findJoin: reading((id: string) => {
      const row = get(`SELECT ${columns.join} FROM pending_join WHERE id = ?`, id);
      return row && toJoin(row);
    }),
    countWrongInvite: (id) =>
      write(() => {
        run('UPDATE pending_join SET wrong_invites = wrong_invites + 1 WHERE id = ?', id);
        return Number(
          get('SELECT wrong_invites AS wrong FROM pending_join WHERE id = ?', id)?.['wrong'] ?? 0,
        );
      }),
    findInvite: reading(invite),
    identifyJoin: (id, agent, by) =>
      write(() => {
        run('UPDATE pending_join SET agent = ?, invite = ? WHERE id = ?', agent, by ?? null, id);
      }),
    followGroups: (agent, role) =>
      write(() => {
        const changed = run(
          'UPDATE agent SET role = ? WHERE id = ? AND role <> ?',
          role,
          agent,
          role,
        );
        if (changed > 0) audit.add('admin', 'agent-role-set', { agent, actor: 'sign-in' });
        return changed > 0;
      }),
    endJoin: (id) =>
      write(() => {
        run('DELETE FROM pending_join WHERE id = ?', id);
      }),
    confirmJoin: (id, code) =>
      write(() => {
        const row = get(`SELECT ${columns.join} FROM pending_join WHERE id = ?`, id);
        const join = row && toJoin(row);
        if (join?.agent === undefined || join.expiresAt <= now()) return false;
        if (join.invite !== undefined) {
          if (invite(join.invite)?.agent !== join.agent) return false;
          run('DELETE FROM invite WHERE id = ?', join.invite);
        }
        run('DELETE FROM pending_join WHERE id = ?', id);
        run(
          'INSERT INTO join_code VALUES (?, ?, ?, ?, ?)',
          code.id,
          join.agent,
          code.hash,
          join.challenge,
          code.expiresAt,
        );
        const by = join.invite === undefined ? 'sign-in' : 'invite';
        audit.add('admin', `join-confirmed-by-${by}`, { agent: join.agent });
        return true;
      }),
    redeemCode: ({ id, hash }, challenge, token, browser) =>
      write(() => {
        const found = get(`SELECT ${columns.joinCode} FROM join_code WHERE id = ?`, id);
        const code = found && toJoinCode(found);
        if (code === undefined || !sameHash(code.hash, hash)) return undefined;
        run('DELETE FROM join_code WHERE id = ?', id);
        if (code.expiresAt <= now() || code.challenge !== challenge) return undefined;
        const { agent } = code;
        run(
          'INSERT INTO token VALUES (?, ?, ?, ?, ?, 0)',
          token.id,
          agent,
          token.hash,
          token.signedInAt,
          token.expiresAt,
        );
        audit.add('admin', 'joined', {
          agent,
          token: token.id,
          ...(browser !== undefined && { actor: browser }),
        });
        const row = get('SELECT id, email, role FROM agent WHERE id = ?', agent);
        return row && toAgent(row);
      }),
    findSettings: reading(() => {
      const row = get(`SELECT ${columns.settings} FROM team_settings`);
      return row && toSettings(row);
    }),
  };
}
