import type { Database, Session } from '#relay/store/postgres/database';
import { withoutNulls } from '#relay/store/postgres/rows';
import type { AuditRow, AuditSubject } from '#relay/store/records';

/** Writes an administrator's row in the transaction of the change that it records. */
export async function addAdminRow(
  session: Session,
  result: string,
  subject: Partial<AuditSubject> = {},
): Promise<void> {
  await writeAudit(session, [{ ...subject, kind: 'admin', result }]);
}

/** Writes rows in the transaction of a session. */
export async function writeAudit(
  session: Session,
  rows: readonly Omit<AuditRow, 'id' | 'at'>[],
): Promise<void> {
  await session.query('SELECT write_audit(clock(), $1)', [JSON.stringify(rows)]);
}

/** Lists the rows of one month or of all, in the order in which rows about one token were committed. */
export function listAudit(database: Database, month?: string): Promise<readonly AuditRow[]> {
  const [from, to] = month === undefined ? [0, Number.MAX_SAFE_INTEGER] : spanOf(month);
  return database
    .query(
      `SELECT id, at, kind, result, call_id AS "callId", agent, token, connection, call,
         code_hmac AS "codeHmac", code_last4 AS "codeLast4"
       FROM audit WHERE at >= $1 AND at < $2 ORDER BY id`,
      [from, to],
    )
    .then((rows) => rows.map((row) => withoutNulls(row) as AuditRow));
}

/** Drops the tables of the months before this one; returns the months. */
export async function dropAuditBefore(session: Session, month: string): Promise<readonly string[]> {
  const before = tableOf(month);
  const tables = await session.query<{ readonly name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'audit'::regclass ORDER BY relname`,
  );
  const old = tables.map(({ name }) => name).filter((name) => name < before);
  for (const name of old) await session.run(`DROP TABLE ${name}`);
  return old.map((name) => name.slice('audit_'.length).replace('_', '-'));
}

/** @throws for any text but a month, `2026-11` */
function tableOf(month: string): string {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) throw new Error(`"${month}" is no month: YYYY-MM`);
  return `audit_${month.replace('-', '_')}`;
}

function spanOf(month: string): [from: number, to: number] {
  tableOf(month);
  const [year = 0, number = 0] = month.split('-').map(Number);
  return [Date.UTC(year, number - 1), Date.UTC(year, number)];
}
