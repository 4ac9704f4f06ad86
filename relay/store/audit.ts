/* eslint-disable @typescript-eslint/explicit-module-boundary-types -- each method says its own type */
import { delay } from '#core/time/delay';
import { monthBefore, startOfMonth } from '#relay/store/audit-month';
import { inGroups } from '#relay/store/groups';
import { type MonthLine, toMonthLine } from '#relay/store/month-count';
import type { AuditActor, AuditKind, AuditRow, AuditSubject, TokenUse } from '#relay/store/records';
import { reading, recordOf } from '#relay/store/rows';
import { type Database, type Statement, sql } from '#relay/store/sql';

type About = Partial<AuditSubject & AuditActor>;

/** Returns what adds a row to the audit. */
export function auditRow(kind: AuditKind, result: string, about: About): Statement {
  const { callId, agent, token, connection, call, codeHmac, codeLast4, actor } = about;
  return sql`INSERT INTO audit (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4, actor)
    VALUES (CAST(floor(clock()) AS bigint), ${kind}, ${result}, ${callId}, ${agent}, ${token}, ${connection}, ${call},
      ${codeHmac}, ${codeLast4}, ${actor})`;
}

/**
 * Returns what adds the row of a reply, which says `withheld` in place of its result where the token holds no more, and finds what it says.
 * Adds and finds nothing where others have the token locked, or it is gone: a revocation under way has its row first.
 */
export function replyRow(result: string, about: AuditSubject): Statement {
  const { callId, agent, token, connection, call, codeHmac, codeLast4 } = about;
  return sql`WITH held AS (
      SELECT CASE WHEN revoked_at = 0 AND expires_at > clock() THEN ${result} ELSE 'withheld' END AS result
      FROM token WHERE id = ${token} FOR NO KEY UPDATE SKIP LOCKED
    ) INSERT INTO audit (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4)
    SELECT CAST(floor(clock()) AS bigint), 'reply', result, ${callId}, ${agent}, ${token}, ${connection}, ${call}, ${codeHmac},
      ${codeLast4} FROM held RETURNING (SELECT result FROM held) AS result`;
}

/** Others write between two portions of what is deleted. */
const pauseMs = 100;

/** Creates what the administrator does with the audit. @param admin adds a row about what an administrator has done */
export function createAudit(
  database: Database,
  admin: (result: string, about?: About) => Statement,
) {
  const { one, all } = reading(database);
  // One month at a time, and once for all who wait for the same: anybody whose role sees the report may ask.
  const countMonth = inGroups<string, readonly MonthLine[]>(
    async (months) => {
      const counted = new Map<string, readonly MonthLine[]>();
      for (const month of new Set(months)) {
        const rows = await database.countMonth(month);
        counted.set(
          month,
          rows.map((row) => toMonthLine(recordOf(row))),
        );
      }
      return months.map((month) => counted.get(month) ?? []);
    },
    () => false,
  );

  return {
    /**
     * Reads the audit rows of a month, `2026-11`, or of all months, in the order of their commits, and calls `use` with each. It keeps
     * nobody from writing meanwhile.
     */
    readAudit: async (month: string | undefined, use: (row: AuditRow) => void): Promise<void> => {
      const from = month === undefined ? 0 : startOfMonth(month);
      const to =
        month === undefined ? Number.MAX_SAFE_INTEGER : startOfMonth(monthBefore(from, -1));
      const rows = sql`SELECT id, at, kind, result, call_id AS "callId", agent, token, connection, call,
          code_hmac AS "codeHmac", code_last4 AS "codeLast4", actor
        FROM audit WHERE at >= ${from} AND at < ${to} ORDER BY id`;
      for (const row of await database.iterate(rows)) use(recordOf<AuditRow>(row));
    },
    /**
     * Counts the checks of a month by its audit, without keeping anybody waiting. What it counts leaves the database as numbers alone,
     * so that the runner's role may ask for it.
     * @param reader an agent who reads it, which is recorded before
     */
    countMonth: async (
      month: string,
      reader?: Required<Pick<AuditSubject, 'agent' | 'token'>>,
    ): Promise<readonly MonthLine[]> => {
      if (reader !== undefined) await database.batch(admin(`report-read-${month}`, reader));
      return countMonth(month);
    },
    /** Tells how tokens were used from this moment on, without those that the audit does not name. */
    tokenUses: async (since: number): Promise<readonly TokenUse[]> => {
      const isUse = sql`kind = 'reply' AND result NOT IN ('withheld', 'not-begun')`;
      return all<TokenUse>(
        sql`SELECT token, min(at) FILTER (WHERE ${isUse}) AS "firstAt", max(at) FILTER (WHERE ${isUse}) AS "lastAt",
            max(actor) FILTER (WHERE kind = 'admin' AND result IN ('joined', 'invite-redeemed')) AS actor
          FROM audit WHERE at >= ${since} AND token IS NOT NULL GROUP BY token`,
      );
    },
    /** Returns for how many months before the present one the audit is kept; undefined where that is for ever. */
    keptMonths: async (): Promise<number | undefined> => {
      const kept = await one<{ readonly months?: number }>(sql`SELECT months FROM audit_kept`);
      return kept?.months;
    },
    /** Sets that. The relay drops older months while it serves. */
    keepAudit: async (months: number | undefined): Promise<void> => {
      const span = months === undefined ? 'for-ever' : `${String(months)}-months`;
      await database.batch(
        sql`UPDATE audit_kept SET months = ${months}`,
        admin(`audit-kept-${span}`),
      );
    },
    /** Deletes the rows of months before those, and records that; the runner's role may. Returns how many. */
    dropOldAudit: async (): Promise<number> => {
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
