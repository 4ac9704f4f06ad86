import type { CheckAnswer } from '#core/check/check-report';
import type { Connection } from '#core/connections/connection';
import { type CachedReply, type SessionCache, ownerOf } from '#background/seller/session-cache';

const purchaseMs = 5 * 60_000;
const notFoundMs = 30_000;

/** Replies that need not be asked for again yet. Faults are never kept. */
export interface ReplyCache {
  find(connection: Connection, code: string): Promise<CachedReply | undefined>;
  keep(connection: Connection, code: string, answer: CheckAnswer, checkedAt: number): Promise<void>;
  /** Removes what is no longer shown. */
  prune(): Promise<void>;
}

/** @param ringAt asks for `prune` to be called at a moment (epoch milliseconds), so that replies do not outstay. */
export function createReplyCache(
  sessionCache: SessionCache,
  now: () => number,
  scheduleAlarm: (moment: number) => Promise<void>,
): ReplyCache {
  const isStale = ({ until }: CachedReply): boolean => now() >= until;
  return {
    async find(connection, code) {
      const reply = await sessionCache.read('reply', ownerOf(connection, code));
      return reply === undefined || isStale(reply) ? undefined : reply;
    },

    async keep(connection, code, answer, checkedAt) {
      // A not-found that a wrong key may have caused is no answer to keep.
      if (answer.kind === 'not-found' && answer.key !== 'good') return;
      const until = checkedAt + (answer.kind === 'purchase' ? purchaseMs : notFoundMs);
      const owner = ownerOf(connection, code);
      const reply = { answer, checkedAt, until };
      if (!(await sessionCache.write('reply', owner, reply))) {
        await sessionCache.prune('reply', () => true);
        await sessionCache.write('reply', owner, reply);
      }
      await scheduleAlarm(until);
    },

    prune: () => sessionCache.prune('reply', isStale),
  };
}
