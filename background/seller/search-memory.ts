import type { AuthorizedAccess } from '#background/seller/access';
import type { SessionCache, SessionRecords } from '#adapters/storage/worker/index';
import type { Connection } from '#core/connections/index';
import type { PurchaseReply } from '#core/marketplaces/asking';
import type { Fault } from '#core/marketplaces/index';
import type { Result } from '#core/result';
import { minuteMs } from '#core/time/index';

/** How long after its first interruption a search can be continued, in milliseconds. */
const continuableMs = 10 * minuteMs;
/**
 * A placeholder code. Its record exists while the connection has any search, so that a check without one need not look
 * for its own.
 */
const anySearch = '';

/**
 * Remembers interrupted searches. A search that needs more requests than the limit allows would never end if it started
 * over each time.
 */
export interface SearchMemory {
  /** Returns the replies by attempt. */
  read(connection: Connection, code: string): Promise<Map<string, Result<PurchaseReply, Fault>>>;
  store(
    access: Pick<AuthorizedAccess, 'connection' | 'wasLocked'>,
    code: string,
    replies: ReadonlyMap<string, Result<PurchaseReply, Fault>>,
  ): Promise<void>;
  forget(connection: Connection, code: string): Promise<void>;
}

/**
 * Creates the memory of interrupted searches.
 * @param ensureAlarm schedules the removal of expired searches no later than a moment, epoch milliseconds
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
    read: async (connection, code) =>
      new Map((await find(connection, anySearch)) && (await find(connection, code))?.replies),

    async store({ connection, wasLocked }, code, replies) {
      const before = await find(connection, code);
      const latest = now() + continuableMs;
      const until = before?.until ?? latest;
      const write = (search: SessionRecords['search']): Promise<boolean> =>
        sessionCache.write('search', { ...connection, code: search.code }, search, wasLocked);
      const common = { connectionId: connection.id, replies: [] };
      await write({ ...common, code: anySearch, until: latest });
      await write({ ...common, code, replies: [...replies], until });
      await ensureAlarm(until);
    },

    forget: ({ id }, code) =>
      sessionCache.prune('search', (one) => one.connectionId === id && one.code === code),
  };
}
