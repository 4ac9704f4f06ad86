import { codeOf, forbidden, openPostgres } from '#relay/store/postgres';
import { grantsTo, newerThan, schemas, schemaVersion } from '#relay/store/schema';
import { recordOf } from '#relay/store/rows';
import { type Database, sql } from '#relay/store/sql';
import { Problem } from '#relay/problem';

interface SchemaRow {
  readonly version: number;
  readonly runner: string;
}

export async function withOwner<T>(
  address: string,
  use: (database: Database) => Promise<T>,
  purpose: 'administer' | 'move' = 'administer',
): Promise<T> {
  const database = await openPostgres(address, () => performance.now(), purpose);
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/**
 * Creates the schema with the owner's role, and lets the runner's role serve.
 * @param runner undefined keeps the present role
 * @returns the version, and the role that may serve; `''` if there is none
 * @throws Problem if the schema is newer than this program
 */
export function prepareDatabase(
  address: string,
  runner?: string,
  steps = schemas.postgres,
): Promise<SchemaRow> {
  const prepare = (database: Database): Promise<SchemaRow> =>
    database.write(function* () {
      // The lock is held to the end, so that a second command finds nothing left to do.
      yield [sql`SELECT pg_advisory_xact_lock(8790)`];
      const [, [row] = []] = yield [
        [createVersionTable],
        sql`SELECT version, runner FROM schema_version`,
      ];
      const { version, runner: before } = recordOf<SchemaRow>(row ?? {});
      if (version > steps.length) throw new Problem(newerThan(version));
      const role = runner ?? before;
      for (const step of steps.slice(version)) yield [[step]];
      const grants = role === '' ? [] : [[grantsTo(role)] as const];
      return [
        { version: steps.length, runner: role },
        sql`UPDATE schema_version SET version = ${steps.length}, runner = ${role}`,
        ...grants,
      ];
    });
  // A new version may process the whole audit.
  return withOwner(address, prepare, 'move');
}

const createVersionTable = `
  CREATE SCHEMA IF NOT EXISTS relay;
  CREATE TABLE IF NOT EXISTS schema_version (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version bigint NOT NULL,
    runner text NOT NULL
  );
  INSERT INTO schema_version VALUES (true, 0, '') ON CONFLICT DO NOTHING`;

/** @throws Problem unless this program knows the schema, and commits wait for the disk */
export async function checkSchema(database: Database): Promise<void> {
  const [[row] = []] = await database
    .read(
      sql`SELECT version, current_setting('synchronous_commit') AS commits FROM relay.schema_version`,
    )
    .catch((error: unknown) => {
      // The table does not exist.
      if (codeOf(error) === '42P01') return [];
      if (codeOf(error) !== forbidden) throw error;
      throw new Problem(
        'The role in DATABASE_URL may not use the database: run "admin database prepare --runner ROLE" with the owner\'s role.',
        { cause: error },
      );
    });
  if (row?.['commits'] === 'off') {
    throw new Problem(
      'PostgreSQL loses commits in a crash: take synchronous_commit = off out of its settings.',
    );
  }
  const version = Number(row?.['version'] ?? 0);
  if (version > schemaVersion) throw new Problem(newerThan(version));
  if (version < schemaVersion) {
    throw new Problem(
      `The database has schema ${String(version)}, and this relay needs ${String(schemaVersion)}: run "admin database prepare" with the owner's role.`,
    );
  }
}

/** Returns the role in use, whether it may do more than serve (an owner or superuser), and whether its server syncs. */
export function roleInUse(
  address: string,
): Promise<{ readonly role: string; readonly mayDoMore: boolean; readonly fsync: string }> {
  return withOwner(address, async (database) => {
    const [[row] = []] = await database.read(
      sql`SELECT current_user AS role, has_table_privilege('relay.audit', 'DELETE') AS "mayDoMore", current_setting('fsync') AS fsync`,
    );
    return recordOf(row ?? { role: '', mayDoMore: false, fsync: '' });
  });
}
