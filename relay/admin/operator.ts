import { hostname, userInfo } from 'node:os';

import { openStore, type Store } from '#relay/store/index';

/** Opens the store at a place in the name of whoever runs this program, for as long as it is used. See `openStore` for what it throws. */
export async function administer<T>(place: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(place, nameOperator());
  try {
    return await use(store);
  } finally {
    await store.close();
  }
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
