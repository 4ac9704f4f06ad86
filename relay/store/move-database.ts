import type { DatabaseSync } from 'node:sqlite';

import { auditTable, monthOfTable } from '#relay/rules/audit-month';
import { tokenMaxMs } from '#relay/rules/token';
import { addAdminRow } from '#relay/store/postgres/audit';
import { openDatabase as openPostgres, type Session } from '#relay/store/postgres/database';
import { checkSchema } from '#relay/store/postgres/prepare';
import { openDatabase as openSqlite } from '#relay/store/sqlite/database';

/** Reports that nothing was moved, and why. */
class MoveProblem extends Error {
  override readonly name = 'MoveProblem';
}

/** Counts the rows that were moved, by table; the audit is counted by month. */
export type MovedRows = ReadonlyMap<string, number>;

/** Holds a table that is copied whole. What ends within minutes by itself is not: joins under way, cached replies and leases. */
interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** What SQLite selects in the place of a column. */
  readonly select?: Readonly<Record<string, string>>;
  readonly from?: string;
}

/** Lists the tables so that each comes after those that it refers to. */
const tables: readonly CopiedTable[] = [
  {
    name: 'connection',
    columns: [
      'id',
      'name',
      'base_address',
      'key_placement',
      'encoding',
      'request_limit',
      'window_ms',
      'allow_private',
      'roles',
      'marketplace',
      'store',
    ],
  },
  {
    name: 'connection_key',
    columns: ['connection', 'version', 'master_key_id', 'wrapped_data_key', 'sealed'],
  },
  { name: 'secret', columns: ['name', 'master_key_id', 'wrapped'] },
  { name: 'role', columns: ['name', 'sees', 'quota'] },
  { name: 'agent', columns: ['id', 'email', 'role', 'quota', 'subject'] },
  { name: 'day_calls', columns: ['agent', 'day', 'calls'] },
  {
    name: 'token',
    columns: ['id', 'agent', 'hash', 'signed_in_at', 'expires_at', 'revoked_at'],
    // PostgreSQL refuses one that an earlier version let live longer.
    select: { expires_at: `min(expires_at, signed_in_at + ${String(tokenMaxMs)})` },
  },
  { name: 'invite', columns: ['id', 'agent', 'hash', 'created_at', 'expires_at'] },
  { name: 'kept_audit', columns: ['only_row', 'months'] },
  { name: 'team_settings', columns: ['only_row', 'version', 'payload', 'signature', 'key'] },
  {
    // In PostgreSQL every connection has its row.
    name: 'pace',
    columns: ['connection', 'held_until', 'taken'],
    select: {
      connection: 'id',
      held_until: 'coalesce(held_until, 0)',
      taken: "coalesce(taken, '[]')",
    },
    from: 'connection LEFT JOIN pace ON pace.connection = connection.id',
  },
];

const auditColumns =
  'at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4, actor';
const rowsAtOnce = 5_000;
/** A month of a busy team is copied in less than a minute. */
const limits = { connections: 1, milliseconds: 3_600_000 };

/**
 * Copies an embedded database, with its tokens and its audit, into one in PostgreSQL that "database prepare" has made and nobody has
 * used: all of it or nothing, after the rows of both were counted. Nobody writes to the embedded one meanwhile, and it stays as it is.
 * @param address with the owner's role
 * @param operator stands in the audit
 * @throws MoveProblem
 */
export async function moveDatabase(
  path: string,
  address: string,
  operator: string,
): Promise<MovedRows> {
  const source = openSqlite(path);
  const target = openPostgres(address, limits);
  try {
    await checkSchema(target);
    source.exec('BEGIN IMMEDIATE');
    // Before the other transaction, which its server ends when it is silent for long.
    const counts = countSource(source);
    await target.transaction(async (session) => {
      await lockUnused(session);
      for (const table of tables) await copyTable(source, session, table);
      let lastId = 0;
      for (const month of monthsOf(source)) {
        lastId = await copyMonth(source, session, month, lastId);
      }
      await session.query("SELECT setval('audit_id', $1)", [lastId + 1]);
      await compareCounts(session, counts);
      await addAdminRow(session, 'database-moved', { actor: operator });
    });
    return counts;
  } finally {
    // Closing it ends its transaction, in which nothing was changed.
    source.close();
    await target.close();
  }
}

/** Keeps other commands of the owner out until the end. @throws MoveProblem when somebody has used the database */
async function lockUnused(session: Session): Promise<void> {
  await session.run('SELECT FROM schema_version FOR UPDATE');
  for (const name of ['connection', 'secret', 'agent', 'team_settings', 'audit']) {
    if ((await countRows(session, name)) === 0) continue;
    throw new MoveProblem(
      `Nothing was moved: the database in DATABASE_URL has rows in "${name}" already. Move into a new one, which "admin database prepare" alone has touched.`,
    );
  }
  await session.run('DELETE FROM role');
}

async function copyTable(
  source: DatabaseSync,
  session: Session,
  { name, columns, select = {}, from = name }: CopiedTable,
): Promise<void> {
  const selected = columns.map((column) => `${select[column] ?? column} AS ${column}`);
  const places = columns.map((_, n) => `$${String(n + 1)}`);
  const sql = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${places.join(', ')})`;
  for (const row of source.prepare(`SELECT ${selected.join(', ')} FROM ${from}`).all()) {
    await session.query(
      sql,
      columns.map((column) => row[column]),
    );
  }
}

/** Copies a month of the audit under ids that follow the last one. Returns the last of its own. */
async function copyMonth(
  source: DatabaseSync,
  session: Session,
  month: string,
  lastId: number,
): Promise<number> {
  const table = auditTable(month);
  let id = lastId;
  // Filled before it is attached: a row of the audit itself would have to be about now.
  await session.run(`CREATE TABLE ${table} (LIKE audit INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
  const insert = `INSERT INTO ${table} (id, ${auditColumns})
    SELECT id, ${auditColumns} FROM jsonb_populate_recordset(NULL::audit, $1)`;
  let rows: object[] = [];
  const flush = async (): Promise<void> => {
    if (rows.length > 0) await session.query(insert, [JSON.stringify(rows)]);
    rows = [];
  };
  const read = source.prepare(`SELECT ${auditColumns} FROM ${table} ORDER BY id`);
  for (const row of read.iterate()) {
    rows.push({ ...row, id: (id += 1) });
    if (rows.length === rowsAtOnce) await flush();
  }
  await flush();
  const [year = 0, number = 0] = month.split('-').map(Number);
  const bounds = [Date.UTC(year, number - 1), Date.UTC(year, number)].map(String);
  await session.run(
    `ALTER TABLE audit ATTACH PARTITION ${table} FOR VALUES FROM (${bounds.join(') TO (')})`,
  );
  return id;
}

function countSource(source: DatabaseSync): MovedRows {
  const count = (name: string): number =>
    Number(source.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.['n']);
  const months = monthsOf(source).map(auditTable);
  return new Map(
    [...tables.filter(({ from }) => from === undefined).map(({ name }) => name), ...months].map(
      (name) => [name, count(name)],
    ),
  );
}

/** Counts the rows again where they arrived. @throws MoveProblem unless there are as many of each */
async function compareCounts(session: Session, counts: MovedRows): Promise<void> {
  for (const [name, expected] of counts) {
    const found = await countRows(session, name);
    if (found === expected) continue;
    throw new MoveProblem(
      `Nothing was moved: of ${String(expected)} rows of "${name}" ${String(found)} arrived.`,
    );
  }
}

async function countRows(session: Session, table: string): Promise<number> {
  const [row] = await session.query<{ readonly n: number }>(`SELECT count(*) AS n FROM ${table}`);
  return row?.n ?? 0;
}

function monthsOf(source: DatabaseSync): string[] {
  return source
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'audit_[0-9]*' ORDER BY name",
    )
    .all()
    .map(({ name }) => monthOfTable(String(name)));
}
