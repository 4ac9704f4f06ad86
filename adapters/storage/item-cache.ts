import * as v from 'valibot';

import type { Result } from '#core/result';
import type { CachedItem, ItemListing, ItemsPort } from '#core/items/index';
import type { Item } from '#core/marketplaces/index';
import {
  defineRecord,
  type Tables,
  createTables,
  readRecord,
  readRecords,
  walk,
} from '#adapters/storage/tables';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';
import type { StorageFull } from '#core/storage/index';
import { isRecord } from '#core/record';
import { type ItemId, itemIdSchema } from '#core/item-id';

export interface ItemCache {
  find(connectionId: string, itemId: ItemId): Promise<CachedItem | undefined>;
  /** Replaces the last listing, keeping items that were looked up by id. */
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
  readonly id: ItemId;
}

export const listingCodec = defineRecord(
  parseWithSchema(
    v.object({
      connectionId: v.string(),
      fetchedAt: v.number(),
      unreadable: v.number(),
      noneFound: v.exactOptional(v.string()),
    }),
  ),
);

export const itemCodec = defineRecord(
  parseWithSchema<StoredItem>(
    v.object({
      connectionId: v.string(),
      id: itemIdSchema,
      item: v.custom<Item>(
        (item) =>
          isRecord(item) && v.is(itemIdSchema, item['id']) && typeof item['name'] === 'string',
      ),
      fetchedAt: v.number(),
      lookedUp: v.boolean(),
    }),
  ),
);

export function createPageItems(tables: Tables = createTables()): ItemsPort {
  return {
    read: (connectionId) =>
      tables.transact(['listings', 'items'], 'readonly', async (transaction) => {
        const [stored, storedItems] = await Promise.all([
          transaction.objectStore('listings').get(connectionId),
          transaction.objectStore('items').getAll(itemsOf(connectionId)),
        ]);
        const listing = listingCodec.read(stored);
        return {
          ...(listing.kind === 'readable' && { listing: listing.record }),
          items: readRecords(storedItems, itemCodec).toSorted((a, b) =>
            a.item.name.localeCompare(b.item.name),
          ),
        };
      }),

    find: (connectionId, itemId) => findItem(tables, connectionId, itemId),
  };
}

export function createItemCache(tables: Tables): ItemCache {
  return {
    find: (connectionId, itemId) => findItem(tables, connectionId, itemId),

    replace: (connectionId, listing, items) =>
      tables.write(['listings', 'items'], async (transaction) => {
        const store = transaction.objectStore('items');
        await walk(store.openCursor(itemsOf(connectionId)), async (cursor) => {
          const item = itemCodec.read(cursor.value);
          if (item.kind !== 'readable' || !item.record.lookedUp) await cursor.delete();
        });
        const { fetchedAt } = listing;
        await Promise.all([
          ...items.map((item) =>
            store.put(
              itemCodec.write({ connectionId, id: item.id, item, fetchedAt, lookedUp: false }),
            ),
          ),
          transaction.objectStore('listings').put(listingCodec.write({ ...listing, connectionId })),
        ]);
      }),

    put: (connectionId, item, fetchedAt) =>
      tables.write(['items'], async (transaction) => {
        const store = transaction.objectStore('items');
        const present = readRecord(await store.get([connectionId, item.id]), itemCodec);
        const lookedUp = present?.lookedUp ?? true;
        await store.put(itemCodec.write({ connectionId, id: item.id, item, fetchedAt, lookedUp }));
      }),

    forgetConnection: (connectionId) =>
      tables.transact(['listings', 'items'], 'readwrite', async (transaction) => {
        await transaction.objectStore('items').delete(itemsOf(connectionId));
        await transaction.objectStore('listings').delete(connectionId);
      }),
  };
}

function findItem(
  tables: Tables,
  connectionId: string,
  itemId: ItemId,
): Promise<CachedItem | undefined> {
  return tables.transact(['items'], 'readonly', async (transaction) => {
    const stored: unknown = await transaction.objectStore('items').get([connectionId, itemId]);
    return readRecord(stored, itemCodec);
  });
}

function itemsOf(connectionId: string): IDBKeyRange {
  return IDBKeyRange.bound([connectionId], [connectionId, []]);
}
