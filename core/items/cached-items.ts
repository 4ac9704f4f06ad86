import type { Item } from '#core/marketplaces/index';
import type { ItemId } from '#core/item-id';

export interface CachedItem {
  readonly item: Item;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  /** Whether it was fetched by its id; the list of all items may not have it. */
  readonly lookedUp: boolean;
}

/** The server's last answer to the request for all items. */
export interface ItemListing {
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  /** How many entries of the reply could not be read. */
  readonly unreadable: number;
  /** The server's message when it said that there are none. */
  readonly noneFound?: string;
}

export interface CachedItems {
  /** Absent until all items were requested. */
  readonly listing?: ItemListing;
  /** By name. */
  readonly items: readonly CachedItem[];
}

/** Keeps items as they were last fetched, to be read offline. The worker alone writes them. */
export interface ItemsPort {
  read(connectionId: string): Promise<CachedItems>;
  find(connectionId: string, itemId: ItemId): Promise<CachedItem | undefined>;
}
