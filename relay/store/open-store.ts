import { hostname, userInfo } from 'node:os';

import { omitUndefined } from '#core/result';
import { createAdminStore } from '#relay/store/admin-store';
import { auditRow, createAudit } from '#relay/store/audit';
import { createJoinStore } from '#relay/store/join-store';
import { openPostgres } from '#relay/store/postgres';
import { checkSchema } from '#relay/store/prepare';
import { createServingStore } from '#relay/store/serving-store';
import type { Database } from '#relay/store/sql';
import { openSqlite } from '#relay/store/sqlite';
import { machineClocks, type Store, type StoreClocks } from '#relay/store/store';

/** Tells whether a place is a database in PostgreSQL, and no file. */
export function isPostgres(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}

/**
 * Names who runs this program, as the operating system does: `ada@relay-1`; `root@relay-1 for ada` where sudo was used. Nothing
 * proves it, since whoever administers may change any of it.
 */
export function nameOperator(): string {
  const { SUDO_USER: behind = '' } = process.env;
  return `${nameAccount()}@${hostname()}${behind === '' ? '' : ` for ${behind}`}`;
}

function nameAccount(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${String(process.getuid?.())}`;
  }
}

/**
 * Opens the store at a place: a file, or the address of a database in PostgreSQL, with the role to use: the runner's to serve, the
 * owner's to administer. What the administrator changes has the account and the host in the audit.
 * @param clocks of this process; of them only their pace counts in PostgreSQL, whose clock is the database's
 * @throws NewerSchema or SchemaProblem when its schema does not fit this program, DiskFull, DatabaseLocked
 */
export async function openStore(
  place: string,
  clocks: StoreClocks,
  purpose: 'serve' | 'administer',
): Promise<Store> {
  const operator = purpose === 'administer' ? nameOperator() : undefined;
  if (!isPostgres(place)) return storeOn(openSqlite(place, clocks, purpose), operator);
  const database = await openPostgres(place, clocks.paceNow, purpose);
  try {
    await checkSchema(database);
    return storeOn(database, operator);
  } catch (error) {
    await database.close();
    throw error;
  }
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
  const store = await openStore(place, machineClocks, 'administer');
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
