import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { auditTable, monthAt, monthOfTable } from '#relay/rules/audit-month';
import type { AuditKind, AuditRow, AuditSubject } from '#relay/store/records';
import { createAuditTable } from '#relay/store/sqlite/schema';
import { withoutNulls } from '#relay/store/without-nulls';

/** Writes and reads the audit. All but `read` run inside a transaction of the caller. */
export interface AuditTables {
  add(kind: AuditKind, result: string, subject?: Partial<AuditSubject>): void;
  /** Calls `use` with one row after the other, so that they need no room all at once. */
  read(month: string | undefined, use: (row: AuditRow) => void): void;
  /** Takes the tables of the months before this one out of the audit; false when there were none. Their rows are still there. */
  takeOutBefore(month: string): boolean;
  /** Deletes some rows of a month that was taken out, and its table when it has none left. Returns the month; undefined when none was left. */
  deleteTakenOut(): string | undefined;
}

/** Begins the names of tables that were taken out of the audit. */
const takenOut = 'dropped_';
/** Deleting overwrites each row, and nobody else writes meanwhile: 5,000 rows take some hundredths of a second. */
const rowsAtOnce = 5_000;

export function createAudit(database: DatabaseSync, now: () => number): AuditTables {
  const findTable = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  const inserts = new Map<string, StatementSync>();
  const insertInto = (table: string): StatementSync => {
    const known = inserts.get(table);
    if (known !== undefined) return known;
    const made = database.prepare(
      `INSERT INTO ${table} (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      const values = [callId, agent, token, connection, call, codeHmac, codeLast4];
      insertInto(table).run(at, kind, result, ...values.map((value) => value ?? null));
    },
    read: (month, use) => {
      for (const one of months().filter((each) => month === undefined || each === month)) {
        const rows = database
          .prepare(
            `SELECT id, at, kind, result, call_id AS callId, agent, token, connection, call,
               code_hmac AS codeHmac, code_last4 AS codeLast4 FROM ${auditTable(one)} ORDER BY id`,
          )
          .iterate();
        for (const row of rows) use(withoutNulls(row) as AuditRow);
      }
    },
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
