import { createAdminStore } from '#relay/store/postgres/admin';
import {
  type Database,
  forTheAdministrator,
  openDatabase,
  whileServing,
} from '#relay/store/postgres/database';
import { createJoinStore } from '#relay/store/postgres/joining';
import { checkSchema } from '#relay/store/postgres/prepare';
import { createServingStore } from '#relay/store/postgres/serving';
import type { Store, StoreClocks } from '#relay/store/store';

/** Follows the database's clock, which all instances share, so that their own clocks may differ. */
interface DatabaseClock {
  readonly clocks: StoreClocks;
  stop(): void;
}

const compareEveryMs = 10_000;

/**
 * Reads the database's clock now and every ten seconds.
 * @param steady a clock of this process that never jumps, however wrong it is
 */
async function followDatabaseClock(
  database: Database,
  steady: () => number,
): Promise<DatabaseClock> {
  let offset = 0;
  async function compare(): Promise<void> {
    const before = steady();
    const [row] = await database.query<{ readonly now: number }>('SELECT clock() AS now');
    const middle = (before + steady()) / 2;
    if (row !== undefined) offset = row.now - middle;
  }
  await compare();
  const timer = setInterval(() => {
    // While the database is gone, the last offset holds.
    compare().catch(() => undefined);
  }, compareEveryMs);
  timer.unref();
  const now = (): number => steady() + offset;
  return {
    clocks: { now: () => Math.floor(now()), paceNow: now },
    stop: () => {
      clearInterval(timer);
    },
  };
}

const limitsFor = { serve: whileServing, administer: forTheAdministrator };

/**
 * Opens a store in PostgreSQL, which any number of relays may share. Its clock is the database's.
 * @param address `postgres://…` with the role to use: the runner's to serve, the owner's to administer
 * @param clocks of this process; of them only their pace counts
 * @param operator stands in the audit of the administrator's changes
 * @throws SchemaProblem when the schema is older or newer than this program
 */
export async function openPostgresStore(
  address: string,
  clocks: StoreClocks,
  purpose: keyof typeof limitsFor,
  operator?: string,
): Promise<Store> {
  const database = openDatabase(address, limitsFor[purpose]);
  try {
    await checkSchema(database);
    const clock = await followDatabaseClock(database, clocks.paceNow);
    return {
      ...createServingStore(database),
      ...createAdminStore(database, operator),
      ...createJoinStore(database),
      clocks: clock.clocks,
      databaseBytes: async () => {
        const [row] = await database.query<{ readonly bytes: number }>(
          'SELECT pg_database_size(current_database()) AS bytes',
        );
        return row?.bytes ?? 0;
      },
      reusableBytes: () => 0,
      close: async () => {
        clock.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
