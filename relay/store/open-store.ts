import { machineClocks, type Clocks } from '#relay/machine/clocks';
import { createAdminStore } from '#relay/store/admin-store';
import { type AdminRow, auditRow, createAudit } from '#relay/store/audit';
import { createJoinStore } from '#relay/store/join-store';
import { codeOf, forbidden, openPostgres } from '#relay/store/postgres';
import { checkSchema } from '#relay/store/prepare';
import { createServingStore } from '#relay/store/serving-store';
import { type Database, DatabaseLocked, DiskFull } from '#relay/store/sql';
import { openSqlite } from '#relay/store/sqlite';
import type { Store } from '#relay/store/store';

export function isPostgres(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}

/**
 * Opens the store at a place: a file, or the address of a PostgreSQL database with a role, the runner's to serve or the owner's to
 * administer.
 * @param operator the administrator's name in the audit; absent for a serving relay
 * @param clocks of this process; with PostgreSQL only its `paceNow` is used, since the time is the database's
 * @throws Problem when its schema does not fit this program, DiskFull, DatabaseLocked
 */
export async function openStore(
  place: string,
  operator?: string,
  clocks: Clocks = machineClocks,
): Promise<Store> {
  const purpose = operator === undefined ? 'serve' : 'administer';
  if (!isPostgres(place)) return storeOn(openSqlite(place, clocks, purpose), operator);
  const database = await openPostgres(place, clocks.paceNow, purpose);
  await checkSchema(database).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return storeOn(database, operator);
}

export function storeOn(database: Database, operator?: string): Store {
  const admin: AdminRow = (result, about) =>
    auditRow('admin', result, { actor: operator, ...about });
  const { clocks, databaseBytes, reusableBytes, close } = database;
  return {
    ...createServingStore(database),
    ...createAdminStore(database, admin),
    ...createAudit(database, admin),
    ...createJoinStore(database),
    clocks,
    databaseBytes,
    reusableBytes,
    close,
  };
}

/** Explains a database's refusal if the administrator can do something about it; undefined for any other error. */
export function whyRefused(
  error: unknown,
): 'disk full' | 'database locked' | 'role forbidden' | undefined {
  if (error instanceof DiskFull) return 'disk full';
  if (error instanceof DatabaseLocked) return 'database locked';
  return codeOf(error) === forbidden ? 'role forbidden' : undefined;
}
