import type { AuthorizedAccess } from '#background/seller/access';
import type { SellerClient } from '#background/seller/seller-client';
import { type SessionCache, type SessionRecords } from '#adapters/storage/worker/index';
import type { Fault } from '#core/marketplaces/index';
import type { AskedItem, PurchaseReply, Readers } from '#core/marketplaces/asking';
import { type Result, succeed } from '#core/result';
import { isFresh, minuteMs } from '#core/time/units';
import type { Connection } from '#core/connections/index';
import type { ItemId } from '#core/items/item-id';

/** For how long a list of items is used before it is asked for again. */
const keptMs = 10 * minuteMs;

/** Holds the items that codes are asked about, of a marketplace that answers for one item at a time. */
export interface SellerItems {
  /**
   * Returns the account's items: the expected one, then those whose codes were found last.
   * @param isContinued whether a search goes on: its list is not asked for again
   */
  inSearchOrder(
    access: AuthorizedAccess,
    isContinued: boolean,
  ): Promise<Result<readonly AskedItem[], Fault>>;
  /** Notes that a code of this item was found. */
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
      const rank = new Map(kept?.items.map(({ id }, place) => [id, place]));
      const items = list.value.items
        .map(({ id, name }): AskedItem => ({ id, name }))
        .toSorted((a, b) => (rank.get(a.id) ?? Infinity) - (rank.get(b.id) ?? Infinity) || 0);
      await sessionCache.write(
        'items',
        access.connection,
        { items, fetchedAt: now() },
        access.isLocked,
      );
      return inExpectedOrder(items);
    },

    async rememberItem({ connection, isLocked }, id) {
      const kept = await sessionCache.read('items', connection);
      if (kept === undefined || kept.items[0]?.id === id) return;
      const items = withItemFirst(kept.items, id);
      await sessionCache.write('items', connection, { ...kept, items }, isLocked);
    },
  };
}

/** For how long after its first interruption a search can be continued. */
const continuableMs = 10 * minuteMs;

/**
 * Remembers interrupted searches. If a search needs more requests than the limit allows, starting over each time would never end.
 */
export interface SearchMemory {
  /** Returns the replies by attempt. */
  read(connection: Connection, code: string): Promise<Map<string, Result<PurchaseReply, Fault>>>;
  store(
    access: Pick<AuthorizedAccess, 'connection' | 'isLocked'>,
    code: string,
    replies: ReadonlyMap<string, Result<PurchaseReply, Fault>>,
  ): Promise<void>;
  forget(connection: Connection, code: string): Promise<void>;
}

/**
 * Creates the memory of interrupted searches.
 * @param ensureAlarm asks for expired searches to be removed no later than at a moment, epoch milliseconds
 */
export function createSearchMemory(
  sessionCache: SessionCache,
  now: () => number,
  ensureAlarm: (moment: number) => Promise<void>,
): SearchMemory {
  async function find(
    connection: Connection,
    code: string,
  ): Promise<SessionRecords['search'] | undefined> {
    const search = await sessionCache.read('search', { ...connection, code });
    return search !== undefined && now() < search.until ? search : undefined;
  }

  return {
    read: async (connection, code) => new Map((await find(connection, code))?.replies),

    async store({ connection, isLocked }, code, replies) {
      const until = (await find(connection, code))?.until ?? now() + continuableMs;
      const search = { connectionId: connection.id, code, replies: [...replies], until };
      await sessionCache.write('search', { ...connection, code }, search, isLocked);
      await ensureAlarm(until);
    },

    forget: ({ id }, code) =>
      sessionCache.prune('search', (one) => one.connectionId === id && one.code === code),
  };
}

/** Puts one item before the others, which keep their order. */
function withItemFirst(items: readonly AskedItem[], id: ItemId | undefined): readonly AskedItem[] {
  return items.toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
}
