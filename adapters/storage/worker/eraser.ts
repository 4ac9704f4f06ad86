import { openDB } from 'idb';

import type { StorageArea } from '#adapters/storage/storage-area';

/** Erases everything that the extension has stored: both storage areas and every database. */
export interface Eraser {
  erase(): Promise<void>;
}

interface ErasedAreas {
  readonly local: StorageArea;
  readonly session: StorageArea;
}

/**
 * Creates the eraser. It empties databases instead of deleting them, because a deletion waits until every page has
 * closed them.
 * @param remembered lists whose caches are cleared too
 */
export function createEraser(
  { local, session }: ErasedAreas,
  remembered: readonly { forget(): void }[],
): Eraser {
  return {
    async erase() {
      for (const area of [local, session]) await area.remove(Object.keys(await area.get(null)));
      for (const { name } of await indexedDB.databases()) {
        if (name !== undefined) await emptyDatabase(name);
      }
      for (const list of remembered) list.forget();
    },
  };
}

async function emptyDatabase(name: string): Promise<void> {
  const database = await openDB(name);
  const stores = [...database.objectStoreNames];
  if (stores.length > 0) {
    const transaction = database.transaction(stores, 'readwrite');
    await Promise.all([
      ...stores.map((store) => transaction.objectStore(store).clear()),
      transaction.done,
    ]);
  }
  database.close();
}
