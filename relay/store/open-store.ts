import { omitUndefined } from '#core/result';
import { createAdminStore } from '#relay/store/admin-store';
import { auditRow, createAudit, telling, type ToldRow } from '#relay/store/audit';
import { nameOperator } from '#relay/store/operator';
import { createJoinStore } from '#relay/store/join-store';
import { isForbidden, openPostgres } from '#relay/store/postgres';
import { checkSchema } from '#relay/store/prepare';
import { createServingStore } from '#relay/store/serving-store';
import type { Database } from '#relay/store/sql';
import { openSqlite } from '#relay/store/sqlite';
import {
  DatabaseLocked,
  DiskFull,
  machineClocks,
  type Store,
  type StoreClocks,
} from '#relay/store/store';

/** Tells whether a place is a database in PostgreSQL, and no file. */
export function isPostgres(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}

/**
 * Opens the store at a place: a file, or the address of a database in PostgreSQL, with the role to use: the runner's to serve, the
 * owner's to administer. What the administrator changes has the account and the host in the audit.
 * @param clocks of this process; of them only their pace counts in PostgreSQL, whose clock is the database's
 * @param tell is given each row of the audit once it is committed
 * @throws Problem when its schema does not fit this program, DiskFull, DatabaseLocked
 */
export async function openStore(
  place: string,
  purpose: 'serve' | 'administer',
  clocks: StoreClocks = machineClocks,
  tell?: (row: ToldRow) => void,
): Promise<Store> {
  const operator = purpose === 'administer' ? nameOperator() : undefined;
  const open = (database: Database): Store =>
    storeOn(tell === undefined ? database : telling(database, tell), operator);
  if (!isPostgres(place)) return open(openSqlite(place, clocks, purpose));
  const database = await openPostgres(place, clocks.paceNow, purpose);
  await checkSchema(database).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return open(database);
}

/** Creates the store on a database. @param operator stands in the audit of the administrator's changes */
export function storeOn(database: Database, operator?: string): Store {
  const admin: Parameters<typeof createAudit>[1] = (result, about) =>
    auditRow('admin', result, omitUndefined({ actor: operator, ...about }));
  return {
    ...createServingStore(database),
    ...createAdminStore(database, admin),
    ...createAudit(database, admin),
    ...createJoinStore(database),
    clocks: database.clocks,
    databaseBytes: database.bytes,
    reusableBytes: database.reusableBytes,
    close: database.close,
  };
}

/** Opens the store at a place as the administrator's commands do, for as long as it is used. See `openStore` for what it throws. */
export async function administer<T>(place: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(place, 'administer');
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Says why a database has refused something, where the administrator can do something about it; undefined for any other error. */
export function whyRefused(
  error: unknown,
): 'disk full' | 'database locked' | 'role forbidden' | undefined {
  if (error instanceof DiskFull) return 'disk full';
  if (error instanceof DatabaseLocked) return 'database locked';
  return isForbidden(error) ? 'role forbidden' : undefined;
}
