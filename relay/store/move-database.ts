import { nameOperator } from '#relay/store/operator';
import { openPostgres } from '#relay/store/postgres';
import { checkSchema } from '#relay/store/prepare';
import { auditRow } from '#relay/store/audit';
import { DatabaseLocked, machineClocks, type Row, type Statement } from '#relay/store/sql';
import { openSqlite } from '#relay/store/sqlite';
import { Problem } from '#relay/problem';

/** Counts the rows that were moved, by table. */
export type MovedRows = ReadonlyMap<string, number>;

/**
 * Lists the tables that are copied whole, each after those that it refers to. What ends within minutes by itself is not: joins under
 * way, cached replies and leases, and the pace of agents.
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
/** Those that a schema begins with rows in. */
const filled: readonly string[] = ['role', 'audit_kept'];
const rowsAtOnce = 2_000;

/**
 * Copies an embedded database, with its tokens and its audit, into one in PostgreSQL that "database prepare" has made and nobody has
 * used: all of it or nothing, after the rows of both were counted. Nobody has the embedded one open meanwhile, and it stays as it is.
 * @param address with the owner's role
 * @throws Problem
 */
export async function moveDatabase(path: string, address: string): Promise<MovedRows> {
  const source = openSqlite(path, machineClocks, 'administer');
  const target = await openPostgres(address, machineClocks.paceNow, 'move');
  const counts = new Map<string, number>();
  try {
    await checkSchema(target);
    await source.alone(async () => {
      await target.session(async (ask) => {
        const count = async (name: string): Promise<number> => {
          const [[row] = []] = await ask(`SELECT count(*) AS n FROM ${name}`);
          return Number(row?.['n']);
        };
        // Keeps other commands of the owner out until the end.
        await ask('SELECT FROM schema_version FOR UPDATE');
        for (const name of tables) {
          if (filled.includes(name)) await ask(`DELETE FROM ${name}`);
          else if ((await count(name)) > 0) throw new Problem(usedAlready(name));
        }
        // Copied rows are dated in the past, which the trigger refuses. It is enabled again at the commit or the rollback.
        await ask('ALTER TABLE audit DISABLE TRIGGER USER');
        for (const name of tables) {
          counts.set(name, await copy(source, name, async (rows) => void (await ask(...rows))));
          const arrived = await count(name);
          if (arrived === counts.get(name)) continue;
          throw new Problem(
            `Nothing was moved: of ${String(counts.get(name))} rows of "${name}" ${String(arrived)} arrived.`,
          );
        }
        await ask('ALTER TABLE audit ENABLE TRIGGER USER');
        await ask(auditRow('admin', 'database-moved', { actor: nameOperator() }));
      });
    });
    return counts;
  } catch (error) {
    if (error instanceof DatabaseLocked) throw new Problem(openElsewhere(path), { cause: error });
    throw error;
  } finally {
    await source.close();
    await target.close();
  }
}

/** A relay that goes on would take calls, and rights away, in a database that nobody looks at any more. */
const openElsewhere = (path: string): string =>
  `Nothing was moved: ${path} is open elsewhere: stop the relay that serves from it.`;

const usedAlready = (name: string): string =>
  `Nothing was moved: the database in DATABASE_URL has rows in "${name}" already. Move into a new one, which "admin database prepare" alone has touched.`;

/** Copies a table in portions. The audit gets new ids in its order. Returns how many rows there were. */
async function copy(
  source: ReturnType<typeof openSqlite>,
  name: string,
  insert: (rows: readonly Statement[]) => Promise<void>,
): Promise<number> {
  let count = 0;
  let rows: Statement[] = [];
  for (const row of source.iterate(`SELECT * FROM ${name} ORDER BY 1`)) {
    count += 1;
    rows.push(insertInto(name, row));
    if (rows.length < rowsAtOnce) continue;
    await insert(rows);
    rows = [];
  }
  await insert(rows);
  return count;
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
