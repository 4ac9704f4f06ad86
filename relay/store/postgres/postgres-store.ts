import { createAdminStore } from '#relay/store/postgres/admin';
import { forTheAdministrator, openDatabase, whileServing } from '#relay/store/postgres/database';
import { followDatabaseClock } from '#relay/store/postgres/database-clock';
import { createJoinStore } from '#relay/store/postgres/joining';
import { checkSchema } from '#relay/store/postgres/prepare';
import { createServingStore } from '#relay/store/postgres/serving';
import type { Store, StoreClocks } from '#relay/store/store';

const limits = { serve: whileServing, administer: forTheAdministrator };

/**
 * Opens a store in PostgreSQL, which any number of relays may share. Its clock is the database's.
 * @param address `postgres://…` with the role to use: the runner's to serve, the owner's to administer
 * @param clocks of this process; of them only their pace counts
 * @throws SchemaProblem when the schema is older or newer than this program
 */
export async function openPostgresStore(
  address: string,
  clocks: StoreClocks,
  purpose: keyof typeof limits,
): Promise<Store> {
  const database = openDatabase(address, limits[purpose]);
  try {
    await checkSchema(database);
    const clock = await followDatabaseClock(database, clocks.paceNow);
    return {
      ...createServingStore(database),
      ...createAdminStore(database),
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
