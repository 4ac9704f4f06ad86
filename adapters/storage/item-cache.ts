import type { Result } from '#core/result';
import type { Item } from '#core/seller/item';
import { type StorageFull, createDatabase, done, walk } from '#adapters/storage/database';

/** An item as it was when it was fetched, epoch milliseconds. */
export interface CachedItem {
  readonly item: Item;
  readonly fetchedAt: number;
  /** It came by its id, and may be missing from the list. */
  readonly lookedUp: boolean;
}

/** What the server said when all items were asked for. */
export interface ItemListing {
  readonly fetchedAt: number;
  /** Entries of its reply that could not be read. */
  readonly unreadable: number;
  /** It said there are none, in these words. */
  readonly noneFound?: string;
}

export interface CachedItems {
  /** Absent when all items were never asked for. */
  readonly listing?: ItemListing;
  /** By name. */
  readonly items: readonly CachedItem[];
}

/** The items of each connection, to be read offline. */
export interface ItemCache {
  read(connectionId: string): Promise<CachedItems>;
  find(connectionId: string, itemId: number): Promise<CachedItem | undefined>;
  /** Takes the place of the last listing. Items that were looked up by id stay. */
  replace(
    connectionId: string,
    listing: ItemListing,
    items: readonly Item[],
  ): Promise<Result<void, StorageFull>>;
  put(connectionId: string, item: Item, fetchedAt: number): Promise<Result<void, StorageFull>>;
  forgetConnection(connectionId: string): Promise<void>;
}

interface StoredItem extends CachedItem {
  readonly connectionId: string;
  readonly id: number;
}

const everyStore = ['listings', 'items'];

export function createItemCache(name = 'counterfoil-items'): ItemCache {
  const database = createDatabase(name, (made) => {
    made.createObjectStore('listings', { keyPath: 'connectionId' });
    made.createObjectStore('items', { keyPath: ['connectionId', 'id'] });
  });

  return {
    read: (connectionId) =>
      database.transact(everyStore, 'readonly', async (store) => {
        const [listing, items] = await Promise.all([
          done(store('listings').get(connectionId)) as Promise<ItemListing | undefined>,
          done(store('items').getAll(itemsOf(connectionId))) as Promise<StoredItem[]>,
        ]);
        return {
          ...(listing === undefined ? {} : { listing }),
          items: items.toSorted((a, b) => a.item.name.localeCompare(b.item.name)),
        };
      }),

    find: (connectionId, itemId) =>
      database.transact(
        ['items'],
        'readonly',
        (store) =>
          done(store('items').get([connectionId, itemId])) as Promise<StoredItem | undefined>,
      ),

    replace: (connectionId, listing, items) =>
      database.write(everyStore, async (store) => {
        await walk(store('items').openCursor(itemsOf(connectionId)), (cursor) => {
          if (!(cursor.value as StoredItem).lookedUp) cursor.delete();
          return undefined;
        });
        for (const item of items)
          store('items').put({
            ...{ connectionId, id: item.id, item },
            ...{ fetchedAt: listing.fetchedAt, lookedUp: false },
          } satisfies StoredItem);
        await done(store('listings').put({ ...listing, connectionId }));
      }),

    put: (connectionId, item, fetchedAt) =>
      database.write(['items'], async (store) => {
        const key = [connectionId, item.id];
        const present = (await done(store('items').get(key))) as StoredItem | undefined;
        const lookedUp = present?.lookedUp ?? true;
        await done(
          store('items').put({
            ...{ connectionId, id: item.id, item, fetchedAt, lookedUp },
          } satisfies StoredItem),
        );
      }),

    forgetConnection: (connectionId) =>
      database.transact(everyStore, 'readwrite', async (store) => {
        store('items').delete(itemsOf(connectionId));
        await done(store('listings').delete(connectionId));
      }),
  };
}

function itemsOf(connectionId: string): IDBKeyRange {
  return IDBKeyRange.bound([connectionId], [connectionId, []]);
}
