import type { Item } from '#core/seller/item';

/** An item as it was when it was fetched. */
export interface CachedItem {
  readonly item: Item;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  /** Whether it was fetched by its id; the list of all items may not have it. */
  readonly lookedUp: boolean;
}

/** What the server answered when all items were asked for. */
export interface ItemListing {
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  /** How many entries of the reply could not be read. */
  readonly unreadable: number;
  /** The server's message when it said that there are none. */
  readonly noneFound?: string;
}

/** The cached items of one connection. */
export interface CachedItems {
  /** Absent when all items were never asked for. */
  readonly listing?: ItemListing;
  /** By name. */
  readonly items: readonly CachedItem[];
}
