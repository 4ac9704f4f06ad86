import { machineClocks } from '#relay/machine/clocks';
import { checkSchema, withOwner } from '#relay/store/prepare';
import { auditRow } from '#relay/store/audit';
import {
  type Database,
  DatabaseLocked,
  type Row,
  type Rows,
  type Statement,
  type Work,
} from '#relay/store/sql';
import { openSqlite, type Sqlite } from '#relay/store/sqlite';
import { Problem } from '#relay/problem';

type MovedRows = ReadonlyMap<string, number>;

/**
 * The tables that are copied, each after those that it refers to. Short-lived data is not copied: running joins, cached replies, leases,
 * and the pace of agents.
 */
const tables = [
  'connection',
  'connection_key',
  'secret',
  'role',
  'agent',
  'day_calls',
  'token',
  'invite',
  'audit_kept',
  'team_settings',
  'pace',
  'audit',
] as const;
/** The tables in which a new schema already has rows. */
const filled: readonly string[] = ['role', 'audit_kept'];
const rowsAtOnce = 2_000;

/**
 * Copies an embedded database, with its tokens and its audit, into one in PostgreSQL that "database prepare" has made and nobody has used:
 * all of it or nothing, after the rows of both were counted. The embedded one must not be open elsewhere, and does not change.
 * @param address with the owner's role @param operator the administrator's name in the audit @throws Problem
 */
export async function moveDatabase(
  path: string,
  address: string,
  operator: string,
): Promise<MovedRows> {
  const source = openSqlite(path, machineClocks, 'administer');
  const moveTo = async (target: Database): Promise<MovedRows> => {
    await checkSchema(target);
    return source.alone(() => target.write(() => moveRows(source, operator)));
  };
  try {
    return await withOwner(address, moveTo, 'move');
  } catch (error) {
    if (!(error instanceof DatabaseLocked)) throw error;
    // A relay that continued would take calls and revoke rights in a database that is no longer used.
    const message = `Nothing was moved: ${path} is open elsewhere: stop the relay that serves from it.`;
    throw new Problem(message, { cause: error });
  } finally {
    await source.close();
  }
}

function* moveRows(source: Sqlite, operator: string): ReturnType<Work<MovedRows>> {
  const counts = new Map<string, number>();
  // Blocks other commands of the owner until the end.
  yield [['SELECT FROM schema_version FOR UPDATE']];
  // Copied rows have past dates, which the trigger refuses. It is enabled again at the commit or the rollback.
  yield [['ALTER TABLE audit DISABLE TRIGGER USER']];
  for (const name of tables) {
    if (filled.includes(name)) yield [[`DELETE FROM ${name}`]];
    else if ((yield* countRows(name)) > 0)
      throw new Problem(
        `Nothing was moved: the database in DATABASE_URL has rows in "${name}" already. Move into a new one, which "admin database prepare" alone has touched.`,
      );
    let count = 0;
    let rows: Statement[] = [];
    // The audit gets new ids in its order.
    for (const row of source.iterate([`SELECT * FROM ${name} ORDER BY 1`])) {
      count += 1;
      rows.push(insertInto(name, row));
      if (rows.length < rowsAtOnce) continue;
      yield rows;
      rows = [];
    }
    yield rows;
    const arrived = yield* countRows(name);
    if (arrived !== count) {
      throw new Problem(
        `Nothing was moved: of ${String(count)} rows of "${name}" ${String(arrived)} arrived.`,
      );
    }
    counts.set(name, count);
  }
  const enable: Statement = ['ALTER TABLE audit ENABLE TRIGGER USER'];
  return [counts, enable, auditRow('admin', 'database-moved', { actor: operator })];
}

function* countRows(name: string): Generator<Statement[], number, Rows[]> {
  const [[row] = []] = yield [[`SELECT count(*) AS n FROM ${name}`]];
  return Number(row?.['n']);
}

function insertInto(name: string, row: Row): Statement {
  const entries = Object.entries(row).filter(([column]) => name !== 'audit' || column !== 'id');
  const places = entries.map((_, n) => `$${String(n + 1)}`).join(', ');
  const columns = entries.map(([column]) => column).join(', ');
  return [
    `INSERT INTO ${name} (${columns}) VALUES (${places})`,
    ...entries.map(([, value]) => value as Statement[1]),
  ];
}
