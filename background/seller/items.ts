import { type Result, fail, succeed } from '#core/result';
import type { Fault } from '#core/seller/fault';
import { readItemReply, readItemsReply } from '#core/seller/replies';
import { itemRequest, itemsRequest } from '#core/seller/requests';
import type { ItemCache } from '#adapters/storage/item-cache';
import type { FoundItem, ItemsFault, ItemsRefreshed } from '#messaging/protocol';
import type { SellerAccessProvider } from '#background/seller/access';
import type { SellerClient } from '#background/seller/seller-client';

/** The one piece of work that may take longer than others: all items come in one reply (spec section 4). */
const longestListMs = 60_000;

interface Parts {
  readonly sellerAccess: SellerAccessProvider;
  readonly sellerClient: SellerClient;
  readonly cache: ItemCache;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Items {
  /** Asks for all items of a connection and keeps them. Who asks meanwhile shares the one request. */
  refresh(connectionId: string): Promise<Result<ItemsRefreshed, ItemsFault>>;
  /** Asks for one item by its id and keeps it. */
  lookUp(connectionId: string, itemId: number): Promise<Result<FoundItem, Fault>>;
}

export function createItems({ sellerAccess, sellerClient, cache, now }: Parts): Items {
  const inFlight = new Map<string, Promise<Result<ItemsRefreshed, ItemsFault>>>();

  async function fetchAll(connectionId: string): Promise<Result<ItemsRefreshed, ItemsFault>> {
    const access = await sellerAccess.gain(await sellerAccess.find(connectionId));
    if (!access.ok) return access;
    const list = await sellerClient(
      { ...access.value, deadline: now() + longestListMs },
      { request: itemsRequest, read: readItemsReply },
    );
    if (!list.ok) return list;
    const { items, unreadable, noneFound } = list.value;
    const listing = {
      fetchedAt: now(),
      unreadable: unreadable.length,
      ...(noneFound === undefined ? {} : { noneFound: noneFound.msg }),
    };
    const written = await cache.replace(connectionId, listing, items);
    return written.ok ? succeed({ ...listing, count: items.length }) : written;
  }

  return {
    refresh(connectionId) {
      const present = inFlight.get(connectionId);
      if (present !== undefined) return present;
      const flight = fetchAll(connectionId).finally(() => inFlight.delete(connectionId));
      inFlight.set(connectionId, flight);
      return flight;
    },

    async lookUp(connectionId, itemId) {
      const access = await sellerAccess.gain(await sellerAccess.find(connectionId));
      if (!access.ok) return fail(access.fault);
      const reply = await sellerClient(access.value, {
        request: (seller) => itemRequest(seller, itemId),
        read: (raw, moment) => readItemReply(raw, itemId, moment),
      });
      // An item that cannot be kept for want of room is shown all the same.
      if (reply.ok && reply.value.kind === 'item')
        await cache.put(connectionId, reply.value.item, now());
      return reply;
    },
  };
}
