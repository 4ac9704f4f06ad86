import {
  type Database,
  forTheAdministrator,
  isForbidden,
  isRefusal,
  openDatabase,
  type Session,
} from '#relay/store/postgres/database';
import { grantsTo, upgrades } from '#relay/store/postgres/schema';

/** Reports a database whose schema does not fit this program. */
class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem';
}

interface SchemaRow {
  readonly version: number;
  readonly runner: string;
}

/**
 * Makes or upgrades the schema with the owner's role, and lets the runner's role serve.
 * @param runner undefined keeps the role that was named before
 * @returns the version, and the role that may serve; `''` where none was named
 * @throws SchemaProblem when the schema is newer than this program
 */
export async function prepareDatabase(address: string, runner?: string): Promise<SchemaRow> {
  const database = openDatabase(address, forTheAdministrator);
  try {
    await createVersionTable(database);
    return await database.transaction((session) => upgrade(session, runner));
  } finally {
    await database.close();
  }
}

/**
 * Checks the schema of a database that the relay is to serve from.
 * @throws SchemaProblem unless the schema is the one that this program knows
 */
export async function checkSchema(database: Database): Promise<void> {
  const [there] = await database
    .query<{ readonly there: boolean }>(
      "SELECT to_regclass('relay.schema_version') IS NOT NULL AS there",
    )
    .catch((error: unknown) => {
      if (!isForbidden(error)) throw error;
      throw new SchemaProblem(
        'The role in DATABASE_URL may not use the database: run "admin database prepare --runner ROLE" with the owner\'s role.',
        { cause: error },
      );
    });
  const known = upgrades.length;
  const [row] =
    there?.there === true
      ? await database.query<SchemaRow>('SELECT version, runner FROM schema_version')
      : [];
  const version = row?.version ?? 0;
  if (version > known) throw newerThan(known, version);
  if (version < known) {
    throw new SchemaProblem(
      `The database has schema ${String(version)}, and this relay needs ${String(known)}: run "admin database prepare" with the owner's role.`,
    );
  }
}

/** Tells the role in use, and whether it may do more than serve, as the owner's and a superuser's may. */
export async function roleInUse(
  address: string,
): Promise<{ readonly role: string; readonly mayDoMore: boolean }> {
  const database = openDatabase(address, forTheAdministrator);
  try {
    const [row] = await database.query<{ readonly role: string; readonly more: boolean }>(
      "SELECT current_user AS role, has_table_privilege('relay.audit', 'DELETE') AS more",
    );
    return { role: row?.role ?? '', mayDoMore: row?.more === true };
  } finally {
    await database.close();
  }
}

async function createVersionTable(database: Database): Promise<void> {
  const create = (): Promise<void> =>
    database.transaction(async (session) => {
      await session.run(`
        CREATE SCHEMA IF NOT EXISTS relay;
        CREATE TABLE IF NOT EXISTS schema_version (
          only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
          version integer NOT NULL,
          runner text NOT NULL
        );
        INSERT INTO schema_version VALUES (true, 0, '') ON CONFLICT DO NOTHING;
      `);
    });
  // Of two that create it at once, one is refused; then it is there.
  await create().catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    return create();
  });
}

async function upgrade(session: Session, named?: string): Promise<SchemaRow> {
  // Held to the end, so that a second upgrade finds nothing left to do.
  const [row] = await session.query<SchemaRow>(
    'SELECT version, runner FROM schema_version FOR UPDATE',
  );
  const { version, runner } = row ?? { version: 0, runner: '' };
  if (version > upgrades.length) throw newerThan(upgrades.length, version);
  for (const step of upgrades.slice(version)) await session.run(step);
  const role = named ?? runner;
  await session.query('UPDATE schema_version SET version = $1, runner = $2', [
    upgrades.length,
    role,
  ]);
  if (role !== '') await session.run(grantsTo(role));
  return { version: upgrades.length, runner: role };
}

function newerThan(known: number, version: number): SchemaProblem {
  return new SchemaProblem(
    `The database has schema ${String(version)}; this relay knows ${String(known)}.`,
  );
}
