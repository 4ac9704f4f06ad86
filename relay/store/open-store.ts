import { hostname, userInfo } from 'node:os';

import { openPostgresStore } from '#relay/store/postgres/postgres-store';
import { openSqliteStore } from '#relay/store/sqlite/sqlite-store';
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
 * Opens the store at a place: a file, or the address of a database in PostgreSQL. What the administrator changes has the account and
 * the host in the audit.
 * @throws NewerSchema or SchemaProblem when its schema does not fit this program
 */
export function openStore(
  place: string,
  clocks: StoreClocks,
  purpose: 'serve' | 'administer',
): Promise<Store> {
  const operator = purpose === 'administer' ? nameOperator() : undefined;
  return isPostgres(place)
    ? openPostgresStore(place, clocks, purpose, operator)
    : Promise.resolve(openSqliteStore(place, clocks, purpose, operator));
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
