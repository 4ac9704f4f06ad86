import type { AdministrationContext } from '#background/dependencies';
import { showMedia } from '#background/items/media';
import type { SellerFeature } from '#background/seller/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import type { Fault } from '#core/marketplaces/index';
import { type Granted, handlerLimitMs, type Handlers, type Refusal } from '#messaging/index';
import type { ItemId } from '#core/item-id';

type FoundItem = Granted<'items.item'>;
type ItemsFault = Refusal<'items.all'>;
type ItemsRefreshed = Granted<'items.all'>;

type ItemsContext = Pick<
  AdministrationContext,
  'items' | 'permissions' | 'readers' | 'sellerHttp' | 'now'
>;

/** Requests a seller's items, and the pictures and media that the seller's replies link to. */
export function createItemsHandlers(
  context: ItemsContext,
  { access, accounts, client }: Pick<SellerFeature, 'access' | 'accounts' | 'client'>,
): Handlers<'items'> {
  const { items: cache, readers, now } = context;
  const inFlight = new Map<string, Promise<Result<ItemsRefreshed, ItemsFault>>>();

  async function fetchAll(connectionId: string): Promise<Result<ItemsRefreshed, ItemsFault>> {
    const authorized = await access.authorizeById(connectionId);
    if (!authorized.ok) return authorized;
    const request = {
      ...authorized.value,
      deadline: now() + handlerLimitMs('items.all'),
      fresh: true,
    };
    const list = await readers
      .itemReaderOf(request.connection)
      .items((call) => client.request(request, call));
    if (!list.ok) return list;
    if (list.value.noneFound !== undefined) {
      // A remembered or failed account check is not enough, since the whole cache would be replaced.
      const account = await accounts.fetchAccount(request);
      if (!account.ok) return account;
    }
    // This may take longer than a deletion can be undone; items stored after that would never be removed.
    if ((await access.find(connectionId)) === undefined) return fail({ kind: 'no-connection' });
    const { items, unreadable, noneFound } = list.value;
    const listing = omitUndefined({
      fetchedAt: now(),
      unreadable: unreadable.length,
      noneFound: noneFound?.msg,
    });
    const written = await cache.replace(connectionId, listing, items);
    return written.ok ? succeed({ ...listing, count: items.length }) : written;
  }

  /**
   * Requests all items of a connection and caches them. Concurrent calls share one request. A wrong key looks like an
   * account without items, so an empty list is believed only after an account check.
   */
  function refresh(connectionId: string): Promise<Result<ItemsRefreshed, ItemsFault>> {
    const present = inFlight.get(connectionId);
    if (present !== undefined) return present;
    const request = fetchAll(connectionId).finally(() => inFlight.delete(connectionId));
    inFlight.set(connectionId, request);
    return request;
  }

  /** Requests one item by its id and caches it. Here too, a not-found is returned only after an account check. */
  async function lookUp(connectionId: string, itemId: ItemId): Promise<Result<FoundItem, Fault>> {
    const authorized = await access.authorizeById(connectionId);
    if (!authorized.ok) return authorized;
    let fetchedAt = 0;
    const { build, read } = readers.itemReaderOf(authorized.value.connection).item(itemId);
    const reply = await client.request(authorized.value, {
      build,
      read: (raw, moment) => {
        fetchedAt = moment - (raw.ageMs ?? 0);
        return read(raw, moment);
      },
    });
    if (reply.ok && reply.value.kind === 'not-found') {
      const key = await accounts.checkKeyAfter(authorized.value, now());
      if (!key.ok) return key;
    }
    // If there is no room to cache the item, it is still returned.
    if (reply.ok && reply.value.kind === 'item')
      await cache.put(connectionId, reply.value.item, fetchedAt);
    return reply;
  }

  return {
    'items.all': ({ connectionId }) => refresh(connectionId),
    'items.item': ({ connectionId, itemId }) => lookUp(connectionId, itemId),
    'items.media': (wanted) => showMedia({ ...context, access }, wanted),
  };
}
