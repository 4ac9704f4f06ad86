import * as v from 'valibot';

import { connectionFields } from '#core/connections/index';
import type { Result } from '#core/result';
import type { Fault, Item } from '#core/marketplaces/index';
import { maxUrlLength } from '#core/address/index';
import type { StorageFull } from '#core/storage/index';
import { checkPages, deskPage, boundedText, type Rules } from '#messaging/topic';
import { itemIdSchema } from '#core/item-id';

export const itemsRules = {
  'items.all': { from: deskPage, body: v.strictObject({ connectionId: connectionFields.id }) },
  'items.item': {
    from: deskPage,
    body: v.strictObject({
      connectionId: connectionFields.id,
      itemId: itemIdSchema,
    }),
  },
  'items.media': {
    from: checkPages,
    body: v.strictObject({ connectionId: connectionFields.id, address: boundedText(maxUrlLength) }),
  },
} satisfies Rules;

export interface ItemsReplies {
  /** Requests all items of a connection and stores them in the cache, which pages read. */
  'items.all': Result<ItemsRefreshed, ItemsFault>;
  /** Looks up one item by its id and stores it in the same cache. */
  'items.item': Result<FoundItem, Fault>;
  /**
   * Returns a URL with which a page may show a picture, video or sound from a seller's reply: an address or a `data:`
   * URL.
   */
  'items.media': Result<string, MediaFault>;
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

export type ItemsFault = Fault | StorageFull;

export type MediaFault =
  /** On this machine or in a local network, but not on the connection's own origin; or the connection is gone. */
  | { readonly kind: 'not-allowed' }
  | { readonly kind: 'unavailable' }
  /** The content is not a picture, video or sound. */
  | { readonly kind: 'no-media' };

export type FoundItem =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'not-found'; readonly msg: string };
