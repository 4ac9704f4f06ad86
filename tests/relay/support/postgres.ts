import { inject } from 'vitest';

import {
  type PostgresPlace,
  type TestDatabase,
  createDatabaseAt,
} from '#tests/relay/support/prepared-postgres';

/** Creates a database in the run's PostgreSQL. The first of a run starts it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const reply = await fetch(inject('postgres'));
  if (!reply.ok) throw new Error(await reply.text());
  return createDatabaseAt((await reply.json()) as PostgresPlace);
}
