import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

import { auditTable, monthAt, monthOfTable } from '#relay/rules/audit-month';
import { countMonthSql, type MonthCountRow } from '#relay/store/month-count';
import type { AuditActor, AuditKind, AuditRow, AuditSubject, TokenUse } from '#relay/store/records';
import { createAuditTable } from '#relay/store/sqlite/schema';
import { toAuditRow, toTokenUse } from '#relay/store/sqlite/rows';

/** Writes and reads the audit. All but `read` run inside a transaction of the caller. */
export interface AuditTables {
  add(kind: AuditKind, result: string, subject?: Partial<AuditSubject & AuditActor>): void;
  /** Calls `use` with one row after the other, so that they need no room all at once. */
  read(month: string | undefined, use: (row: AuditRow) => void): void;
  /** Tells how tokens were used from a moment on. */
  tokenUses(since: number): readonly TokenUse[];
  /** Counts the checks of a month. */
  count(month: string): Promise<readonly MonthCountRow[]>;
  /** Takes the tables of the months before this one out of the audit; false when there were none. Their rows are still there. */
  takeOutBefore(month: string): boolean;
  /** Deletes some rows of a month that was taken out, and its table when it has none left. Returns the month; undefined when none was left. */
  deleteTakenOut(): string | undefined;
}

/** Begins the names of tables that were taken out of the audit. */
const takenOut = 'dropped_';
/** Pick the rows that tell of a token's use, and of whoever took it out. */
const isUse = "kind = 'reply' AND result NOT IN ('withheld', 'not-begun')";
const isTakenOut = "kind = 'admin' AND result IN ('joined', 'invite-redeemed')";
/** Deleting overwrites each row, and nobody else writes meanwhile: 5,000 rows take some hundredths of a second. */
const rowsAtOnce = 5_000;

/** Creates the audit. @param operator stands in the rows of an administrator's changes that name nobody else */
export function createAudit(
  database: DatabaseSync,
  now: () => number,
  operator?: string,
): AuditTables {
  const findTable = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  const inserts = new Map<string, StatementSync>();
  const insertInto = (table: string): StatementSync => {
    const known = inserts.get(table);
    if (known !== undefined) return known;
    const made = database.prepare(
      `INSERT INTO ${table} (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4, actor)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    inserts.set(table, made);
    return made;
  };
  const months = (): readonly string[] =>
    database
      .prepare(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'audit_[0-9]*' ORDER BY name`,
      )
      .all()
      .map(({ name }) => monthOfTable(String(name)));

  return {
    add: (kind, result, subject = {}) => {
      const at = now();
      const table = auditTable(monthAt(at));
      // Asked each time, since the command line may have dropped or made the table meanwhile.
      if (findTable.get(table) === undefined) database.exec(createAuditTable(table));
      const { callId, agent, token, connection, call, codeHmac, codeLast4 } = subject;
      const actor = subject.actor ?? (kind === 'admin' ? operator : undefined);
      const values = [callId, agent, token, connection, call, codeHmac, codeLast4, actor];
      insertInto(table).run(at, kind, result, ...values.map((value) => value ?? null));
    },
    read: (month, use) => {
      for (const one of months().filter((each) => month === undefined || each === month)) {
        const rows = database
          .prepare(
            `SELECT id, at, kind, result, call_id AS callId, agent, token, connection, call,
               code_hmac AS codeHmac, code_last4 AS codeLast4, actor FROM ${auditTable(one)} ORDER BY id`,
          )
          .iterate();
        for (const row of rows) use(toAuditRow(row));
      }
    },
    tokenUses: (since) =>
      readTokenUses(
        database,
        months().filter((each) => each >= monthAt(since)),
        since,
      ),
    count: (month) =>
      months().includes(month)
        ? readInThread(database.location() ?? '', countMonthSql(auditTable(month)))
        : Promise.resolve([]),
    takeOutBefore: (month) => {
      auditTable(month);
      const old = months().filter((one) => one < month);
      for (const table of old.map(auditTable)) {
        database.exec(`
          DROP TRIGGER ${table}_no_delete;
          DROP TRIGGER ${table}_no_update;
          ALTER TABLE ${table} RENAME TO ${takenOut}${table};
        `);
      }
      return old.length > 0;
    },
    deleteTakenOut: () => {
      const table = database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ? || '*'")
        .get(takenOut)?.['name'];
      if (typeof table !== 'string') return undefined;
      const { changes } = database
        .prepare(`DELETE FROM ${table} WHERE id < (SELECT min(id) FROM ${table}) + ?`)
        .run(rowsAtOnce);
      if (changes === 0) database.exec(`DROP TABLE ${table}`);
      return monthOfTable(table.slice(takenOut.length));
    },
  };
}

/** Reads in a thread of its own: a month of a busy team takes a second, in which nobody else would be answered. */
function readInThread(path: string, sql: string): Promise<readonly MonthCountRow[]> {
  const reading = `
    const { parentPort, workerData: { path, sql } } = require('node:worker_threads');
    const { DatabaseSync } = require('node:sqlite');
    parentPort.postMessage(new DatabaseSync(path, { readOnly: true }).prepare(sql).all());`;
  return new Promise((resolve, reject) => {
    new Worker(reading, { eval: true, workerData: { path, sql } })
      .once('message', resolve)
      .once('error', reject);
  });
}

function readTokenUses(
  database: DatabaseSync,
  months: readonly string[],
  since: number,
): readonly TokenUse[] {
  if (months.length === 0) return [];
  const rows = months.map(
    (month) => `SELECT at, kind, result, token, actor FROM ${auditTable(month)}`,
  );
  return database
    .prepare(
      `SELECT token, min(at) FILTER (WHERE ${isUse}) AS firstAt, max(at) FILTER (WHERE ${isUse}) AS lastAt,
         max(actor) FILTER (WHERE ${isTakenOut}) AS actor
         FROM (${rows.join(' UNION ALL ')}) WHERE at >= ? AND token IS NOT NULL GROUP BY token`,
    )
    .all(since)
    .map((row) => toTokenUse(row));
}
