import type { Result } from '#core/result';
import type { Fault } from '#core/seller/fault';
import type { Item } from '#core/seller/item';
import type { Topic } from '#messaging/topic';

export interface ItemsProtocol {
  /** Requests all items of a connection and stores them in the cache, which pages read. */
  'items.all': Topic<{ connectionId: string }, Result<ItemsRefreshed, ItemsFault>>;
  /** Looks one item up by its id and stores it in the same cache. */
  'items.item': Topic<{ connectionId: string; itemId: number }, Result<FoundItem, Fault>>;
}

export interface ItemsRefreshed {
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  readonly count: number;
  /** How many entries of the reply could not be read. */
  readonly unreadable: number;
  /** The server's message when it reports no items; a single item may still be hidden. */
  readonly noneFound?: string;
}

export type ItemsFault = Fault | { readonly kind: 'storage-full' };

export type FoundItem =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'not-found'; readonly msg: string };
