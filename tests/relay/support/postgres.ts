import { onceInRun } from '#tests/relay/support/once-in-run';
import {
  type PostgresPlace,
  type TestDatabase,
  createDatabaseAt,
} from '#tests/relay/support/prepared-postgres';

/** Creates a database in the run's PostgreSQL. The first of a run starts it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabaseAt(await onceInRun<PostgresPlace>('postgres'));
}
