import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

import { omitUndefined } from '#core/result';
import { delay } from '#core/time/delay';
import { auditTable, monthAt, monthBefore, monthOfTable } from '#relay/rules/audit-month';
import type { Dialect } from '#relay/store/admin-store';
import { countMonthSql, type MonthCountRow, readMonthCount } from '#relay/store/month-count';
import type { AuditActor, AuditKind, AuditSubject } from '#relay/store/records';
import { columns, toAuditRow, tokenUsesSql, toTokenUse } from '#relay/store/rows';
import { reading } from '#relay/store/sqlite/database';
import { createAuditTable } from '#relay/store/sqlite/schema';
import type { WriteQueue } from '#relay/store/sqlite/write-queue';

/** Writes and reads the audit. */
export interface Audit {
  /** Adds a row inside a transaction of the caller. */
  add(kind: AuditKind, result: string, subject?: Partial<AuditSubject & AuditActor>): void;
  readonly months: Pick<Dialect, 'audit' | 'countMonth'>;
}

/** Begins the names of tables that were taken out of the audit. */
const takenOut = 'dropped_';
/** Deleting overwrites each row, and nobody else writes meanwhile: 5,000 rows take some hundredths of a second. */
const rowsAtOnce = 5_000;
/** SQLite asks for the write lock again after this time at the latest. */
const pauseMs = 100;

/** Creates the audit. @param operator stands in the rows of an administrator's changes that name nobody else */
export function createAudit(
  database: DatabaseSync,
  { write }: WriteQueue,
  now: () => number,
  operator?: string,
): Audit {
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

  const add: Audit['add'] = (kind, result, subject = {}) => {
    const at = now();
    const table = auditTable(monthAt(at));
    // Asked each time, since the command line may have dropped or made the table meanwhile.
    if (findTable.get(table) === undefined) database.exec(createAuditTable(table));
    const { callId, agent, token, connection, call, codeHmac, codeLast4 } = subject;
    const actor = subject.actor ?? (kind === 'admin' ? operator : undefined);
    const values = [callId, agent, token, connection, call, codeHmac, codeLast4, actor];
    insertInto(table).run(at, kind, result, ...values.map((value) => value ?? null));
  };

  /** Takes the tables of the months before this one out of the audit; false when there were none. Their rows are still there. */
  function takeOutBefore(month: string): boolean {
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
  }

  /** Deletes some rows of a month that was taken out, and its table when it has none left. Returns the month; undefined when none was left. */
  function deleteSome(): string | undefined {
    const table = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ? || '*'")
      .get(takenOut)?.['name'];
    if (typeof table !== 'string') return undefined;
    const { changes } = database
      .prepare(`DELETE FROM ${table} WHERE id < (SELECT min(id) FROM ${table}) + ?`)
      .run(rowsAtOnce);
    if (changes === 0) database.exec(`DROP TABLE ${table}`);
    return monthOfTable(table.slice(takenOut.length));
  }

  /** Lets the relay write between two portions. Returns the months that it has deleted. */
  async function deleteTakenOut(): Promise<ReadonlySet<string>> {
    const deleted = new Set<string>();
    for (;;) {
      const month = await write(deleteSome);
      if (month === undefined) return deleted;
      deleted.add(month);
      await delay(pauseMs);
    }
  }

  async function dropBefore(month: string, actor?: string): Promise<readonly string[]> {
    // What an earlier drop has left, since it was broken off.
    const left = await deleteTakenOut();
    await write(() => {
      if (!takeOutBefore(month)) return;
      add('admin', `audit-dropped-before-${month}`, omitUndefined({ actor }));
    });
    return [...left.union(await deleteTakenOut())].toSorted();
  }

  return {
    add,
    months: {
      audit: {
        readAudit: reading((month, use) => {
          for (const one of months().filter((each) => month === undefined || each === month)) {
            const rows = database
              .prepare(`SELECT ${columns.audit} FROM ${auditTable(one)} ORDER BY id`)
              .iterate();
            for (const row of rows) use(toAuditRow(row));
          }
        }),
        tokenUses: reading((since) => {
          const tables = months().filter((each) => each >= monthAt(since));
          if (tables.length === 0) return [];
          const rows = tables.map(
            (month) => `SELECT at, kind, result, token, actor FROM ${auditTable(month)}`,
          );
          const sql = tokenUsesSql(`(${rows.join(' UNION ALL ')})`);
          return database.prepare(sql).all({ $1: since }).map(toTokenUse);
        }),
        dropOldAudit: async () => {
          const kept = database.prepare('SELECT months FROM kept_audit').get()?.['months'];
          return typeof kept === 'number' ? dropBefore(monthBefore(now(), kept), 'retention') : [];
        },
        dropAuditBefore: (month) => dropBefore(month),
      },
      countMonth: async (month) => {
        if (!months().includes(month)) return readMonthCount([]);
        const sql = countMonthSql(auditTable(month));
        return readMonthCount(await readInThread(database.location() ?? '', sql));
      },
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
