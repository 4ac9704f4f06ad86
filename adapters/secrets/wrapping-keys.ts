import { createStore, del, get, keys, set } from 'idb-keyval';

/** Stores non-exportable wrapping keys in IndexedDB, since nothing else can store a `CryptoKey`. */
export interface WrappingKeys {
  /** Returns undefined if the key is gone, for example because site data was cleared. */
  find(id: string): Promise<CryptoKey | undefined>;
  keep(id: string, key: CryptoKey): Promise<void>;
  /** Removes all keys except `id`, or all without an id. */
  removeOthers(id: string | undefined): Promise<void>;
}

/** Creates the store of wrapping keys, which reads each key once. */
export function createWrappingKeys(
  store = createStore('counterfoil-keys', 'wrapping'),
): WrappingKeys {
  const known = new Map<string, CryptoKey>();
  return {
    async find(id) {
      const present = known.get(id);
      if (present !== undefined) return present;
      const key: unknown = await get(id, store);
      if (!(key instanceof CryptoKey)) return undefined;
      known.set(id, key);
      return key;
    },
    keep: (id, key) => set(id, key, store),
    async removeOthers(id) {
      known.clear();
      for (const other of await keys(store)) if (other !== id) await del(other, store);
    },
  };
}
