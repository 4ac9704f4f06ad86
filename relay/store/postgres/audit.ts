import { delay } from '#core/time/delay';
import { auditTable, monthOfTable } from '#relay/rules/audit-month';
import { type Database, isLockTimeout, type Session } from '#relay/store/postgres/database';
import { type MonthCount, type MonthCountRow, readMonthCount } from '#relay/store/month-count';
import type { AuditActor, AuditRow, AuditSubject, TokenUse } from '#relay/store/records';
import { columns, toAuditRow, tokenUsesSql, toTokenUse } from '#relay/store/rows';

/** Writes an administrator's row in the transaction of the change that it records. */
export async function addAdminRow(
  session: Session,
  result: string,
  subject: Partial<AuditSubject & AuditActor> = {},
): Promise<void> {
  await writeAudit(session, [{ ...subject, kind: 'admin', result }]);
}

/** Writes rows of the audit, which are JSON. */
export const writeSql = 'SELECT write_audit(clock(), $1)';

/** Writes rows in the transaction of a session. */
export async function writeAudit(
  session: Session,
  rows: readonly Omit<AuditRow, 'id' | 'at'>[],
): Promise<void> {
  await session.query(writeSql, [JSON.stringify(rows)]);
}

/** Reads the rows of one month or of all, in the order in which rows about one token were committed. */
export async function readAudit(
  database: Database,
  month: string | undefined,
  use: (row: AuditRow) => void,
): Promise<void> {
  const [from, to] = month === undefined ? [0, Number.MAX_SAFE_INTEGER] : spanOf(month);
  const rows = await database.query(
    `SELECT ${columns.audit} FROM audit WHERE at >= $1 AND at < $2 ORDER BY id`,
    [from, to],
  );
  for (const row of rows) use(toAuditRow(row));
}

/** Counts the checks of a month with the right of the owner. */
export async function countMonth(database: Database, month: string): Promise<MonthCount> {
  return readMonthCount(
    await database.query<MonthCountRow>('SELECT * FROM count_month($1)', [month]),
  );
}

/** Tells how tokens were used from a moment on. */
export async function readTokenUses(
  database: Database,
  since: number,
): Promise<readonly TokenUse[]> {
  return (await database.query(tokenUsesSql('audit'), [since])).map(toTokenUse);
}

const defaultPatience = { tries: 30, pauseMs: 1_000 };

/** How long one try waits for whoever reads the audit. Calls that add to it wait behind the try, and no longer than 450 ms. */
const lockTimeoutMs = 100;

/**
 * Drops the tables of the months before this one, and records that; returns the months.
 * @param patience how often to try while the audit is being read, and the pause between two tries
 * @param by stands in the record
 * @throws when that does not end
 */
export function dropAuditBefore(
  database: Database,
  month: string,
  patience = defaultPatience,
  by: Partial<AuditActor> = {},
): Promise<readonly string[]> {
  const before = auditTable(month);
  return dropPatiently(database, patience, (session) => dropTablesBefore(session, before, by));
}

/** Drops the months that the owner does not keep, and records that. */
export function dropOldAudit(database: Database): Promise<readonly string[]> {
  return dropPatiently(database, defaultPatience, async (session) => {
    const [row] = await session.query<{ readonly months: readonly string[] }>(
      'SELECT drop_old_audit() AS months',
    );
    const months = (row?.months ?? []).map(monthOfTable);
    if (months.length > 0) {
      await addAdminRow(session, `audit-dropped-${months.join(',')}`, { actor: 'retention' });
    }
    return months;
  });
}

async function dropPatiently(
  database: Database,
  patience: typeof defaultPatience,
  drop: (session: Session) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  for (let left = patience.tries; left > 0; left -= 1) {
    const dropped = await database.transaction(drop).catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
      return undefined;
    });
    if (dropped !== undefined) return dropped;
    if (left > 1) await delay(patience.pauseMs);
  }
  throw new Error(
    'The audit is being read, by a backup or another command perhaps, so that nothing was dropped. Try again once that has ended.',
  );
}

async function dropTablesBefore(
  session: Session,
  before: string,
  by: Partial<AuditActor>,
): Promise<readonly string[]> {
  const tables = await session.query<{ readonly name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'audit'::regclass ORDER BY relname`,
  );
  const old = tables.map(({ name }) => name).filter((name) => name < before);
  if (old.length === 0) return [];
  await session.run(`SET LOCAL lock_timeout = ${String(lockTimeoutMs)}`);
  await session.run(`DROP TABLE ${old.join(', ')}`);
  await addAdminRow(session, `audit-dropped-before-${monthOfTable(before)}`, by);
  return old.map(monthOfTable);
}

function spanOf(month: string): [from: number, to: number] {
  auditTable(month);
  const [year = 0, number = 0] = month.split('-').map(Number);
  return [Date.UTC(year, number - 1), Date.UTC(year, number)];
}
