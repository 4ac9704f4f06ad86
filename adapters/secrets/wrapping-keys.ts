import { createStore, del, get, keys, set } from 'idb-keyval';

/** Wrapping keys that cannot be exported. IndexedDB alone keeps a `CryptoKey` as one. */
export interface WrappingKeys {
  /** `undefined` when it is gone, as after site data was cleared. */
  find(id: string): Promise<CryptoKey | undefined>;
  keep(id: string, key: CryptoKey): Promise<void>;
  /** Removes all but one, or all. */
  removeOthers(id: string | undefined): Promise<void>;
}

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
