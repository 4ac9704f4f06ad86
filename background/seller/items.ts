import type { ItemCache } from '#adapters/storage/item-cache';
import type { SellerAccessProvider } from '#background/seller/access';
import type { Accounts } from '#background/seller/accounts';
import type { SellerClient } from '#background/seller/seller-client';
import { type Result, fail, succeed } from '#core/result';
import type { Fault } from '#core/marketplaces/fault';
import type { ItemId } from '#core/marketplaces/resources';
import { marketplaceOf } from '#core/marketplaces/marketplaces';
import { handlerLimitMs } from '#messaging/envelope';
import type { FoundItem, ItemsFault, ItemsRefreshed } from '#messaging/topics/items';

interface ItemsDependencies {
  readonly access: SellerAccessProvider;
  readonly accounts: Pick<Accounts, 'checkKey' | 'fetch'>;
  readonly client: SellerClient;
  readonly cache: ItemCache;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Items {
  /**
   * Requests all items of a connection and caches them. Concurrent calls share one request. A wrong key is answered like an
   * account without items, so that none are believed only after an account check.
   */
  refresh(connectionId: string): Promise<Result<ItemsRefreshed, ItemsFault>>;
  /** Requests one item by its id and caches it. A not-found is returned only after an account check, too. */
  lookUp(connectionId: string, itemId: ItemId): Promise<Result<FoundItem, Fault>>;
}

export function createItems(dependencies: ItemsDependencies): Items {
  const { access, accounts, client, cache, now } = dependencies;
  const inFlight = new Map<string, Promise<Result<ItemsRefreshed, ItemsFault>>>();

  async function fetchAll(connectionId: string): Promise<Result<ItemsRefreshed, ItemsFault>> {
    const authorized = await access.authorizeById(connectionId);
    if (!authorized.ok) return authorized;
    const request = {
      ...authorized.value,
      deadline: now() + handlerLimitMs('items.all'),
      fresh: true,
    };
    const list = await marketplaceOf(request.connection).items((call) =>
      client.request(request, call),
    );
    if (!list.ok) return list;
    if (list.value.noneFound !== undefined) {
      // A remembered account check is not enough, nor one that failed: the whole cache would go.
      const account = await accounts.fetch(request);
      if (!account.ok) return account;
    }
    // It may take longer than a deletion can be undone: nobody would remove them again.
    if ((await access.find(connectionId)) === undefined) return fail({ kind: 'no-connection' });
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
      const request = fetchAll(connectionId).finally(() => inFlight.delete(connectionId));
      inFlight.set(connectionId, request);
      return request;
    },

    async lookUp(connectionId, itemId) {
      const authorized = await access.authorizeById(connectionId);
      if (!authorized.ok) return authorized;
      let fetchedAt = 0;
      const { build, read } = marketplaceOf(authorized.value.connection).item(itemId);
      const reply = await client.request(authorized.value, {
        build,
        read: (raw, moment) => {
          fetchedAt = moment - (raw.ageMs ?? 0);
          return read(raw, moment);
        },
      });
      if (reply.ok && reply.value.kind === 'not-found') {
        const key = await accounts.checkKey(authorized.value);
        if (!key.ok) return key;
      }
      // An item that could not be cached for want of room is returned all the same.
      if (reply.ok && reply.value.kind === 'item')
        await cache.put(connectionId, reply.value.item, fetchedAt);
      return reply;
    },
  };
}
