import type { Item } from '#core/marketplaces/index';
import type { ItemId } from '#core/item-id';

export interface CachedItem {
  readonly item: Item;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  /** Whether it was fetched by its id; the list of all items may not include it. */
  readonly lookedUp: boolean;
}

/** The server's last answer to the request for all items. */
export interface ItemListing {
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  /** How many entries of the reply could not be read. */
  readonly unreadable: number;
  /** The server's message if it said that there are none. */
  readonly noneFound?: string;
}

export interface CachedItems {
  /** Absent until all items were requested. */
  readonly listing?: ItemListing;
  /** Sorted by name. */
  readonly items: readonly CachedItem[];
}

/** Stores items as last fetched, for reading offline. Only the worker writes them. */
export interface ItemsPort {
  read(connectionId: string): Promise<CachedItems>;
  find(connectionId: string, itemId: ItemId): Promise<CachedItem | undefined>;
}
