import { DatabaseError } from 'pg';

import { isForbidden, openPostgres, type Postgres } from '#relay/store/postgres';
import { grantsTo, postgresSchema, schemaVersion } from '#relay/store/schema';
import { recordOf } from '#relay/store/rows';
import { sql } from '#relay/store/sql';
import { Problem } from '#relay/problem';

interface SchemaRow {
  readonly version: number;
  readonly runner: string;
}

/** Opens a database with the owner's role for as long as it is used. */
async function withOwner<T>(address: string, use: (database: Postgres) => Promise<T>): Promise<T> {
  const database = await openPostgres(address, () => performance.now(), 'administer');
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/**
 * Makes the schema with the owner's role, and lets the runner's role serve.
 * @param runner undefined keeps the role that was named before
 * @returns the version, and the role that may serve; `''` where none was named
 * @throws Problem when the schema is newer than this program
 */
export function prepareDatabase(address: string, runner?: string): Promise<SchemaRow> {
  return withOwner(address, async (database) => {
    await createVersionTable(database);
    return database.session(async (ask) => {
      // Held to the end, so that a second one finds nothing left to do.
      const [[row] = []] = await ask(sql`SELECT version, runner FROM schema_version FOR UPDATE`);
      const { version, runner: before } = recordOf<SchemaRow>(row ?? {});
      if (version > schemaVersion) throw new Problem(newerThan(version));
      const role = runner ?? before;
      if (version === 0) await ask(postgresSchema);
      await ask(sql`UPDATE schema_version SET version = ${schemaVersion}, runner = ${role}`);
      if (role !== '') await ask(grantsTo(role));
      return { version: schemaVersion, runner: role };
    });
  });
}

async function createVersionTable(database: Postgres): Promise<void> {
  const create = (): Promise<unknown> =>
    database.session((ask) =>
      ask(`
        CREATE SCHEMA IF NOT EXISTS relay;
        CREATE TABLE IF NOT EXISTS schema_version (
          only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
          version bigint NOT NULL,
          runner text NOT NULL
        );
        INSERT INTO schema_version VALUES (true, 0, '') ON CONFLICT DO NOTHING;
      `),
    );
  // When two create it at once, one of them is refused, and it exists.
  await create().catch((error: unknown) => {
    if (!(error instanceof DatabaseError)) throw error;
    return create();
  });
}

/**
 * Checks the schema of a database that the relay is to serve from.
 * @throws Problem unless the schema is the one that this program knows
 */
export async function checkSchema(database: Postgres): Promise<void> {
  const [[there] = []] = await database
    .read(sql`SELECT to_regclass('relay.schema_version') IS NOT NULL AS there`)
    .catch((error: unknown) => {
      if (!isForbidden(error)) throw error;
      throw new Problem(
        'The role in DATABASE_URL may not use the database: run "admin database prepare --runner ROLE" with the owner\'s role.',
        { cause: error },
      );
    });
  const [[row] = []] =
    there?.['there'] === true ? await database.read(sql`SELECT version FROM schema_version`) : [];
  const version = Number(row?.['version'] ?? 0);
  if (version > schemaVersion) throw new Problem(newerThan(version));
  if (version < schemaVersion) {
    throw new Problem(
      `The database has schema ${String(version)}, and this relay needs ${String(schemaVersion)}: run "admin database prepare" with the owner's role.`,
    );
  }
}

/** Tells the role in use, and whether it may do more than serve, as the owner's and a superuser's may. */
export function roleInUse(
  address: string,
): Promise<{ readonly role: string; readonly mayDoMore: boolean }> {
  return withOwner(address, async (database) => {
    const [[row] = []] = await database.read(
      sql`SELECT current_user AS role, has_table_privilege('relay.audit', 'DELETE') AS "mayDoMore"`,
    );
    return recordOf(row ?? { role: '', mayDoMore: false });
  });
}

const newerThan = (version: number): string =>
  `The database has schema ${String(version)}; this relay knows ${String(schemaVersion)}.`;
