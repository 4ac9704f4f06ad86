import { createStore, del, get, keys, set } from 'idb-keyval';

/** Stores wrapping keys that cannot be exported; only IndexedDB can store a `CryptoKey`. */
export interface WrappingKeys {
  /** Returns undefined when the key is gone, as after site data was cleared. */
  find(id: string): Promise<CryptoKey | undefined>;
  keep(id: string, key: CryptoKey): Promise<void>;
  /** Removes all keys except `id`; without it, all. */
  removeOthers(id: string | undefined): Promise<void>;
}

/** Creates the store of wrapping keys. */
export function createWrappingKeys(
  store = createStore('counterfoil-keys', 'wrapping'),
): WrappingKeys {
  return {
    async find(id) {
      const key: unknown = await get(id, store);
      return key instanceof CryptoKey ? key : undefined;
    },
    keep: (id, key) => set(id, key, store),
    async removeOthers(id) {
      for (const other of await keys(store)) if (other !== id) await del(other, store);
    },
  };
}
