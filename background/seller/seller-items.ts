import type { AuthorizedAccess } from '#background/seller/access';
import type { SellerClient } from '#background/seller/seller-client';
import type { SessionCache } from '#adapters/storage/worker/index';
import type { Fault } from '#core/marketplaces/index';
import type { AskedItem, Readers } from '#core/marketplaces/asking';
import { type Result, succeed } from '#core/result';
import { isFresh, minuteMs } from '#core/time/index';
import type { ItemId } from '#core/item-id';

/** How long a list of items is used before it is requested again, in milliseconds. */
const keptMs = 10 * minuteMs;

/** The items to try with a code, for a marketplace that answers for one item at a time. */
export interface SellerItems {
  /**
   * Returns the account's items: the expected one, then those whose codes were found last.
   * @param isContinued whether a search continues: then its list is not requested again
   */
  inSearchOrder(
    access: AuthorizedAccess,
    isContinued: boolean,
  ): Promise<Result<readonly AskedItem[], Fault>>;
  /** Remembers that a code of this item was found. */
  rememberItem(access: AuthorizedAccess, id: ItemId): Promise<void>;
}

/** @param now epoch milliseconds */
export function createSellerItems(
  client: SellerClient,
  sessionCache: SessionCache,
  codeReaderOf: Readers['codeReaderOf'],
  now: () => number,
): SellerItems {
  return {
    async inSearchOrder(access, isContinued) {
      const inExpectedOrder = (items: readonly AskedItem[]): Result<readonly AskedItem[], Fault> =>
        succeed(withItemFirst(items, access.expectedItemId));
      const kept = await sessionCache.read('items', access.connection);
      const mayUseKept = isContinued || access.fresh !== true;
      if (kept !== undefined && mayUseKept && isFresh(kept.fetchedAt, now(), keptMs))
        return inExpectedOrder(kept.items);
      const { itemsToAsk } = codeReaderOf(access.connection);
      const list = await itemsToAsk?.((call) => client.request(access, call));
      if (list === undefined) return succeed([]);
      if (!list.ok) return list;
      const rank = new Map(kept?.items.map(({ id }, index) => [id, index]));
      const items = list.value.items
        .map(({ id, name }): AskedItem => ({ id, name }))
        .toSorted((a, b) => (rank.get(a.id) ?? Infinity) - (rank.get(b.id) ?? Infinity) || 0);
      await sessionCache.write(
        'items',
        access.connection,
        { items, fetchedAt: now() },
        access.wasLocked,
      );
      return inExpectedOrder(items);
    },

    async rememberItem({ connection, wasLocked }, id) {
      const kept = await sessionCache.read('items', connection);
      if (kept === undefined || kept.items[0]?.id === id) return;
      const items = withItemFirst(kept.items, id);
      await sessionCache.write('items', connection, { ...kept, items }, wasLocked);
    },
  };
}

/** Puts one item before the others, which keep their order. */
function withItemFirst(items: readonly AskedItem[], id: ItemId | undefined): readonly AskedItem[] {
  return items.toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
}
