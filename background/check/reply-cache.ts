import type { SessionCache, SessionRecords } from '#adapters/storage/worker/index';
import type { CheckAnswer } from '#core/check/index';
import type { Connection } from '#core/connections/index';
import { omitUndefined } from '#core/result';
import { wasTurnedBack } from '#core/time/index';

const purchaseLifetimeMs = 5 * 60_000;
const notFoundLifetimeMs = 30_000;

interface NewReply {
  readonly answer: CheckAnswer;
  readonly checkedAt: number;
  readonly foundSpelling?: string | undefined;
}

/** Caches answers by the exact spelling that was checked. Faults are never cached. */
export interface ReplyCache {
  find(connection: Connection, code: string): Promise<SessionRecords['reply'] | undefined>;
  /** @param wasLocked tells whether the keys were locked since the check began; then nothing is stored */
  store(
    connection: Connection,
    code: string,
    reply: NewReply,
    wasLocked: () => boolean,
  ): Promise<void>;
  /** Removes expired replies, interrupted searches and open questions. */
  prune(): Promise<void>;
}

/**
 * Creates the cache of answers.
 * @param ensureAlarm schedules a call of `prune` no later than a moment, epoch milliseconds
 */
export function createReplyCache(
  sessionCache: SessionCache,
  now: () => number,
  ensureAlarm: (moment: number) => Promise<void>,
): ReplyCache {
  /** If the clock was turned back, earlier replies count as expired too. */
  const isExpired = ({ checkedAt, until }: SessionRecords['reply']): boolean =>
    now() >= until || wasTurnedBack(checkedAt, now());
  return {
    async find(connection, code) {
      const reply = await sessionCache.read('reply', { ...connection, code });
      return reply === undefined || isExpired(reply) ? undefined : reply;
    },

    async store(connection, code, { answer, checkedAt, foundSpelling }, wasLocked) {
      // A wrong key may have caused this not-found.
      if (answer.kind === 'not-found' && answer.key !== 'good') return;
      const until =
        checkedAt + (answer.kind === 'purchase' ? purchaseLifetimeMs : notFoundLifetimeMs);
      const owner = { ...connection, code };
      const reply = omitUndefined({ answer, checkedAt, until, foundSpelling });
      if (!(await sessionCache.write('reply', owner, reply, wasLocked))) {
        await sessionCache.prune('reply', () => true);
        await sessionCache.write('reply', owner, reply, wasLocked);
      }
      await ensureAlarm(until);
    },

    async prune() {
      let next = Infinity;
      await sessionCache.prune('reply', (reply) => {
        if (!isExpired(reply)) next = Math.min(next, reply.until);
        return isExpired(reply);
      });
      const isOver = ({ until }: { readonly until: number }): boolean => {
        if (now() < until) next = Math.min(next, until);
        return now() >= until;
      };
      await sessionCache.prune('search', isOver);
      await sessionCache.prune('question', isOver);
      if (next < Infinity) await ensureAlarm(next);
    },
  };
}
