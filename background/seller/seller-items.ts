import type { AuthorizedAccess } from '#background/seller/access';
import type { SellerClient } from '#background/seller/seller-client';
import { type SessionCache, sessionOwnerOf } from '#background/seller/session-cache';
import type { Fault } from '#core/marketplaces/fault';
import type { AskedItem } from '#core/marketplaces/marketplace';
import { marketplaceOf } from '#core/marketplaces/marketplaces';
import type { ItemId } from '#core/marketplaces/resources';
import { type Result, succeed } from '#core/result';
import { wasTurnedBack } from '#core/time/clock-drift';
import { minuteMs } from '#core/time/units';

/** For how long a list of items is used before it is asked for again. */
const keptMs = 10 * minuteMs;

/** Holds the items that codes are asked about, of a marketplace that answers for one item at a time. */
export interface SellerItems {
  /** Returns the account's items, those first whose codes were found last. */
  likeliestFirst(access: AuthorizedAccess): Promise<Result<readonly AskedItem[], Fault>>;
  /** Notes that a code of this item was found. */
  noteHit(access: AuthorizedAccess, id: ItemId): Promise<void>;
}

/** Creates it over the browser's session storage. @param now epoch milliseconds */
export function createSellerItems(
  client: SellerClient,
  sessionCache: SessionCache,
  now: () => number,
): SellerItems {
  return {
    async likeliestFirst(access) {
      const owner = sessionOwnerOf(access.connection);
      const kept = await sessionCache.read('items', owner);
      const isRecent =
        kept !== undefined &&
        now() < kept.fetchedAt + keptMs &&
        !wasTurnedBack(kept.fetchedAt, now());
      if (isRecent && access.fresh !== true) return succeed(kept.items);
      const list = await marketplaceOf(access.connection).items((call) =>
        client.request(access, call),
      );
      if (!list.ok) return list;
      const rank = new Map(kept?.items.map(({ id }, place) => [id, place]));
      const items = list.value.items
        .map(({ id, name }): AskedItem => ({ id, name }))
        .toSorted((a, b) => (rank.get(a.id) ?? Infinity) - (rank.get(b.id) ?? Infinity) || 0);
      await sessionCache.write('items', owner, { items, fetchedAt: now() }, access.isLocked);
      return succeed(items);
    },

    async noteHit({ connection, isLocked }, id) {
      const owner = sessionOwnerOf(connection);
      const kept = await sessionCache.read('items', owner);
      if (kept === undefined || kept.items[0]?.id === id) return;
      const items = kept.items.toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
      await sessionCache.write('items', owner, { ...kept, items }, isLocked);
    },
  };
}
