import { hostname, userInfo } from 'node:os';

import { openStore, type Store } from '#relay/store/index';

/** Opens the store at a place on behalf of the person who runs this program, closes it after use. See `openStore` for what it throws. */
export async function administer<T>(place: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(place, nameOperator());
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/**
 * Names the person who runs this program, according to the operating system: `ada@relay-1`, or `root@relay-1 for ada` with sudo. This is
 * not proof, since an administrator can change all of it.
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
