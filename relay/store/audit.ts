import { delay } from '#core/time/delay';
import { monthBefore, startOfMonth } from '#relay/store/audit-month';
import { readMonthCount, shareCounts, type MonthCountRow } from '#relay/store/month-count';
import type { AuditActor, AuditKind, AuditRow, AuditSubject, TokenUse } from '#relay/store/records';
import { first, recordOf } from '#relay/store/rows';
import { type Database, type Statement, sql } from '#relay/store/sql';
import type { AdminStore } from '#relay/store/store';

type About = Partial<AuditSubject & AuditActor>;

/** Returns what adds a row to the audit. */
export function auditRow(kind: AuditKind, result: string, about: About): Statement {
  const { callId, agent, token, connection, call, codeHmac, codeLast4, actor } = about;
  return sql`INSERT INTO audit (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4, actor)
    VALUES (CAST(floor(clock()) AS bigint), ${kind}, ${result}, ${callId}, ${agent}, ${token}, ${connection}, ${call},
      ${codeHmac}, ${codeLast4}, ${actor})`;
}

/**
 * Returns what adds the row of a reply, which says `withheld` in place of its result where the token holds no more, and finds 1.
 * Adds and finds nothing where others have the token locked, or it is gone: a revocation under way has its row first.
 */
export function replyRow(result: string, about: AuditSubject): Statement {
  const { callId, agent, token, connection, call, codeHmac, codeLast4 } = about;
  return sql`WITH held AS (
      SELECT revoked_at = 0 AND expires_at > clock() AS valid FROM token WHERE id = ${token} FOR NO KEY UPDATE SKIP LOCKED
    ) INSERT INTO audit (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4)
    SELECT CAST(floor(clock()) AS bigint), 'reply', CASE WHEN valid THEN ${result} ELSE 'withheld' END,
      ${callId}, ${agent}, ${token}, ${connection}, ${call}, ${codeHmac}, ${codeLast4} FROM held RETURNING 1`;
}

/** Others write between two portions of what is deleted. */
const pauseMs = 100;

/** Creates what the administrator does with the audit. @param admin adds a row about what an administrator has done */
export function createAudit(
  database: Database,
  admin: (result: string, about?: About) => Statement,
): Pick<
  AdminStore,
  | 'readAudit'
  | 'countMonth'
  | 'tokenUses'
  | 'keptMonths'
  | 'keepAudit'
  | 'dropOldAudit'
  | 'dropAuditBefore'
> {
  const countMonth = shareCounts(async (month) =>
    readMonthCount((await database.countMonth(month)) as unknown as MonthCountRow[]),
  );

  /** Deletes what need not be kept. Returns how many rows that were. @param record goes with the first of them */
  async function deleteOld(record: readonly Statement[]): Promise<number> {
    let deleted = 0;
    for (;;) {
      const count = await database.write(function* () {
        const rows = yield [database.deleteOldAudit];
        const count = rows.flat().length;
        return [count, ...(deleted === 0 && count > 0 ? record : [])];
      });
      if (count === 0) return deleted;
      deleted += count;
      await delay(pauseMs);
    }
  }

  return {
    readAudit: (month, use) => {
      const from = month === undefined ? 0 : startOfMonth(month);
      const to =
        month === undefined ? Number.MAX_SAFE_INTEGER : startOfMonth(monthBefore(from, -1));
      const rows = sql`SELECT id, at, kind, result, call_id AS "callId", agent, token, connection, call,
          code_hmac AS "codeHmac", code_last4 AS "codeLast4", actor
        FROM audit WHERE at >= ${from} AND at < ${to} ORDER BY id`;
      return database.readEach(rows, (row) => {
        use(recordOf<AuditRow>(row));
      });
    },
    countMonth: async (month, reader) => {
      if (reader !== undefined) await database.batch(admin(`report-read-${month}`, reader));
      return countMonth(month);
    },
    tokenUses: async (since) => {
      const isUse = sql`kind = 'reply' AND result NOT IN ('withheld', 'not-begun')`;
      const [rows = []] = await database.read(
        sql`SELECT token, min(at) FILTER (WHERE ${isUse}) AS "firstAt", max(at) FILTER (WHERE ${isUse}) AS "lastAt",
            max(actor) FILTER (WHERE kind = 'admin' AND result IN ('joined', 'invite-redeemed')) AS actor
          FROM audit WHERE at >= ${since} AND token IS NOT NULL GROUP BY token`,
      );
      return rows.map(recordOf<TokenUse>);
    },
    keptMonths: async () => {
      const [rows] = await database.read(sql`SELECT months FROM audit_kept`);
      return first<{ readonly months?: number }>(rows)?.months;
    },
    keepAudit: async (months) => {
      const span = months === undefined ? 'for-ever' : `${String(months)}-months`;
      await database.batch(
        sql`UPDATE audit_kept SET months = ${months}`,
        admin(`audit-kept-${span}`),
      );
    },
    dropOldAudit: () => deleteOld([auditRow('admin', 'audit-dropped', { actor: 'retention' })]),
    dropAuditBefore: async (month) => {
      const before = startOfMonth(month);
      // The present month stays.
      await database.batch(
        sql`UPDATE audit_kept SET before = CASE WHEN ${before} > month_start(0) THEN month_start(0) ELSE ${before} END
          WHERE before < ${before}`,
      );
      return deleteOld([admin(`audit-dropped-before-${month}`)]);
    },
  };
}
