import type { AuthorizedAccess } from '#background/seller/access';
import {
  type InterruptedSearch,
  type SessionCache,
  type ValidationReply,
  sessionOwnerOf,
} from '#background/seller/session-cache';
import type { Connection } from '#core/connections/connection';
import { minuteMs } from '#core/time/units';

/** For how long after its first interruption a search can be continued. */
const continuableMs = 10 * minuteMs;

/**
 * Remembers the last interrupted search of each connection. Under a limit that is lower than a search needs requests, one
 * that started over each time would never end.
 */
export interface SearchMemory {
  /** Returns the replies by attempt; none for another code than the last one. */
  read(connection: Connection, code: string): Promise<Map<string, ValidationReply>>;
  store(
    access: Pick<AuthorizedAccess, 'connection' | 'isLocked'>,
    code: string,
    replies: ReadonlyMap<string, ValidationReply>,
  ): Promise<void>;
  /** Removes a connection's search for a code. */
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
  ): Promise<InterruptedSearch | undefined> {
    const search = await sessionCache.read('search', sessionOwnerOf(connection));
    return search?.code === code && now() < search.until ? search : undefined;
  }

  return {
    read: async (connection, code) => new Map((await find(connection, code))?.replies),

    async store({ connection, isLocked }, code, replies) {
      const until = (await find(connection, code))?.until ?? now() + continuableMs;
      const search = { connectionId: connection.id, code, replies: [...replies], until };
      await sessionCache.write('search', sessionOwnerOf(connection), search, isLocked);
      await ensureAlarm(until);
    },

    forget: ({ id }, code) =>
      sessionCache.prune('search', (one) => one.connectionId === id && one.code === code),
  };
}
