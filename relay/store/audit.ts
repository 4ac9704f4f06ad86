import { delay } from '#core/time/delay';
import { monthBefore, startOfMonth } from '#relay/store/audit-month';
import { shareCounts, toMonthLine } from '#relay/store/month-count';
import type { AuditActor, AuditKind, AuditRow, AuditSubject, TokenUse } from '#relay/store/records';
import { first, recordOf } from '#relay/store/rows';
import { type Database, type Rows, type Statement, sql } from '#relay/store/sql';
import type { AdminStore } from '#relay/store/store';

type About = Partial<AuditSubject & AuditActor>;

/** A row of the audit as it was committed. */
export type ToldRow = Omit<AuditRow, 'id'>;

const rowsOf = new WeakMap<Statement, Omit<ToldRow, 'at'>>();

/** Returns what adds a row to the audit. */
export function auditRow(kind: AuditKind, result: string, about: About): Statement {
  const { callId, agent, token, connection, call, codeHmac, codeLast4, actor } = about;
  const statement = sql`INSERT INTO audit (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4, actor)
    VALUES (CAST(floor(clock()) AS bigint), ${kind}, ${result}, ${callId}, ${agent}, ${token}, ${connection}, ${call},
      ${codeHmac}, ${codeLast4}, ${actor})`;
  rowsOf.set(statement, { kind, result, ...about });
  return statement;
}

/**
 * Returns what adds the row of a reply, which says `withheld` in place of its result where the token holds no more, and finds what it says.
 * Adds and finds nothing where others have the token locked, or it is gone: a revocation under way has its row first.
 */
export function replyRow(result: string, about: AuditSubject): Statement {
  const { callId, agent, token, connection, call, codeHmac, codeLast4 } = about;
  const statement = sql`WITH held AS (
      SELECT CASE WHEN revoked_at = 0 AND expires_at > clock() THEN ${result} ELSE 'withheld' END AS result
      FROM token WHERE id = ${token} FOR NO KEY UPDATE SKIP LOCKED
    ) INSERT INTO audit (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4)
    SELECT CAST(floor(clock()) AS bigint), 'reply', result, ${callId}, ${agent}, ${token}, ${connection}, ${call}, ${codeHmac},
      ${codeLast4} FROM held RETURNING (SELECT result FROM held) AS result`;
  rowsOf.set(statement, { kind: 'reply', result, ...about });
  return statement;
}

/** Returns the database, which tells each row of the audit once it is committed. */
export function telling(database: Database, tell: (row: ToldRow) => void): Database {
  function tellRows(statements: readonly Statement[], answers: readonly Rows[] = []): void {
    statements.forEach((one, n) => {
      const row = rowsOf.get(one);
      const added = answers[n]?.[0];
      // The row of a reply is there only where it was found.
      if (
        row !== undefined &&
        (answers.length === 0 || row.kind !== 'reply' || added !== undefined)
      )
        tell({ at: database.clocks.now(), ...row, ...added });
    });
  }
  return {
    ...database,
    batch: async (...all) => {
      const answers = await database.batch(...all);
      tellRows(all);
      return answers;
    },
    write: async (work, anyway) => {
      let last: readonly Statement[] = [];
      const value = await database.write(function* () {
        const done = yield* work();
        [, ...last] = done;
        return done;
      }, anyway);
      tellRows(last);
      return value;
    },
    hold: async (first, locks, use) => {
      let last: Statement[] = [];
      await database.hold(first, locks, (recorded, locked) => {
        last = use(recorded, locked);
        tellRows(first, recorded);
        return last;
      });
      tellRows(last);
    },
  };
}

/** Others write between two portions of what is deleted. */
const pauseMs = 100;

/** Creates what the administrator does with the audit. @param admin adds a row about what an administrator has done */
export function createAudit(
  database: Database,
  admin: (result: string, about?: About) => Statement,
): Pick<
  AdminStore,
  'readAudit' | 'countMonth' | 'tokenUses' | 'keptMonths' | 'keepAudit' | 'dropOldAudit'
> {
  const countMonth = shareCounts(async (month) =>
    (await database.countMonth(month)).map((row) => toMonthLine(recordOf(row))),
  );

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
