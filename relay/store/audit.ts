import { dayMs, daysAround, delay } from '#core/time/index';
import { inBatches } from '#relay/machine/batches';
import { toMonthLine } from '#relay/store/month-count';
import type { Stored } from '#relay/store/records';
import { reading } from '#relay/store/rows';
import { type Database, type Statement, sql } from '#relay/store/sql';
import type { AuditStore } from '#relay/store/store';

export type About = Omit<Stored<'audit'>, 'id' | 'at' | 'kind' | 'result'>;

export type AdminRow = (result: string, about?: About) => Statement;

export function auditRow(kind: Stored<'audit'>['kind'], result: string, about: About): Statement {
  const { callId, agent, token, connection, call, codeHmac, codeLast4, actor } = about;
  return sql`INSERT INTO audit (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4, actor)
    VALUES (CAST(floor(clock()) AS bigint), ${kind}, ${result}, ${callId}, ${agent}, ${token}, ${connection}, ${call},
      ${codeHmac}, ${codeLast4}, ${actor})`;
}

/**
 * Returns a statement that adds and returns the row of a reply, whose result becomes `withheld` if the token is no longer valid. It adds
 * and returns nothing if others have the token locked, or it is gone: a running revocation gets its row first.
 */
export function replyRow(result: string, about: Stored<'auditSubject'>): Statement {
  const { callId, agent, token, connection, call, codeHmac, codeLast4 } = about;
  return sql`WITH held AS (
      SELECT CASE WHEN revoked_at = 0 AND expires_at > clock() THEN ${result} ELSE 'withheld' END AS result
      FROM token WHERE id = ${token} FOR NO KEY UPDATE SKIP LOCKED
    ) INSERT INTO audit (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4)
    SELECT CAST(floor(clock()) AS bigint), 'reply', result, ${callId}, ${agent}, ${token}, ${connection}, ${call}, ${codeHmac},
      ${codeLast4} FROM held RETURNING (SELECT result FROM held) AS result`;
}

/** Rows are read in batches, since an audit may be larger than the memory. */
const rowsAtOnce = 5_000;
/** The pause between two batches of deletions, in which others can write. */
const pauseMs = 100;

export function createAudit(database: Database, admin: AdminRow): AuditStore {
  const { one, all } = reading(database);
  // One month at a time, and once for all who wait for the same one, since anybody whose role sees the report may ask.
  const countMonth = inBatches<string, readonly Stored<'monthLine'>[]>(async (months) => {
    const counted = new Map<string, readonly Stored<'monthLine'>[]>();
    for (const month of new Set(months)) {
      counted.set(month, (await database.countMonth(month)).map(toMonthLine));
    }
    return months.map((month) => counted.get(month) ?? []);
  });

  return {
    readAudit: async (month, use) => {
      // A moment's day is between 0 and 100,000,000.
      const days = month === undefined ? [0, 1e8] : daysAround(month);
      const [from = 0, to = 0] = days.map((day) => day * dayMs);
      const range = sql`SELECT min(id) AS first, max(id) AS last FROM audit WHERE at >= ${from} AND at < ${to}`;
      const { first = 1, last = 0 } = (await one<{ first?: number; last?: number }>(range)) ?? {};
      for (let next = first; next <= last; next += rowsAtOnce) {
        const rows = await all<Stored<'audit'>>(
          sql`SELECT id, at, kind, result, call_id AS "callId", agent, token, connection, call,
              code_hmac AS "codeHmac", code_last4 AS "codeLast4", actor
            FROM audit WHERE id BETWEEN ${next} AND ${Math.min(last, next + rowsAtOnce - 1)} ORDER BY id`,
        );
        for (const row of rows) if (row.at >= from && row.at < to) use(row);
      }
    },
    countMonth: async (month, reader) => {
      if (reader !== undefined) await database.batch(admin(`report-read-${month}`, reader));
      return countMonth(month);
    },
    keptMonths: async () =>
      (await one<{ readonly months?: number }>(sql`SELECT months FROM audit_kept`))?.months,
    keepAudit: (months) => {
      const span = months === undefined ? 'for-ever' : `${String(months)}-months`;
      const told = admin(`audit-kept-${span}`);
      return database.batch(sql`UPDATE audit_kept SET months = ${months}`, told);
    },
    auditInDoubt: async () =>
      Boolean((await one<{ doubt?: unknown }>(database.auditInDoubt))?.doubt),
    dropOldAudit: async () => {
      for (let deleted = 0; ;) {
        const count = await database.write(function* () {
          const rows = yield [database.deleteOldAudit];
          const count = rows.flat().length;
          if (count === 0 || deleted > 0) return [count];
          return [count, auditRow('admin', 'audit-dropped', { actor: 'retention' })];
        });
        if (count === 0) return deleted;
        deleted += count;
        await delay(pauseMs);
      }
    },
  };
}
