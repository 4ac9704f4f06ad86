import { openPostgresStore } from '#relay/store/postgres/postgres-store';
import { openSqliteStore } from '#relay/store/sqlite/sqlite-store';
import type { Store, StoreClocks } from '#relay/store/store';

/** Tells whether a place is a database in PostgreSQL, and no file. */
export function isPostgres(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}

/**
 * Opens the store at a place: a file, or the address of a database in PostgreSQL.
 * @throws NewerSchema or SchemaProblem when its schema does not fit this program
 */
export function openStore(
  place: string,
  clocks: StoreClocks,
  purpose: 'serve' | 'administer',
): Promise<Store> {
  return isPostgres(place)
    ? openPostgresStore(place, clocks, purpose)
    : Promise.resolve(openSqliteStore(place, clocks, purpose));
}
