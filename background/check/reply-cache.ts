import {
  type CachedReply,
  type SessionCache,
  sessionOwnerOf,
} from '#background/seller/session-cache';
import type { CheckAnswer } from '#core/check/check-answer';
import type { Connection } from '#core/connections/connection';
import { omitUndefined } from '#core/omit-undefined';

const purchaseMs = 5 * 60_000;
const notFoundMs = 30_000;

interface NewReply {
  readonly answer: CheckAnswer;
  readonly checkedAt: number;
  readonly foundAs?: string | undefined;
}

/** Caches answers, under the exact spelling that was checked. Faults are never cached. */
export interface ReplyCache {
  find(connection: Connection, code: string): Promise<CachedReply | undefined>;
  store(connection: Connection, code: string, reply: NewReply): Promise<void>;
  /** Removes expired replies. */
  prune(): Promise<void>;
}

/** @param scheduleAlarm asks for `prune` to be called at a moment, epoch milliseconds */
export function createReplyCache(
  sessionCache: SessionCache,
  now: () => number,
  scheduleAlarm: (moment: number) => Promise<void>,
): ReplyCache {
  const isExpired = ({ until }: CachedReply): boolean => now() >= until;
  return {
    async find(connection, code) {
      const reply = await sessionCache.read('reply', sessionOwnerOf(connection, code));
      return reply === undefined || isExpired(reply) ? undefined : reply;
    },

    async store(connection, code, { answer, checkedAt, foundAs }) {
      // A wrong key may have caused this not-found.
      if (answer.kind === 'not-found' && answer.key !== 'good') return;
      const until = checkedAt + (answer.kind === 'purchase' ? purchaseMs : notFoundMs);
      const owner = sessionOwnerOf(connection, code);
      const reply = omitUndefined({ answer, checkedAt, until, foundAs });
      if (!(await sessionCache.write('reply', owner, reply))) {
        await sessionCache.prune('reply', () => true);
        await sessionCache.write('reply', owner, reply);
      }
      await scheduleAlarm(until);
    },

    prune: () => sessionCache.prune('reply', isExpired),
  };
}
