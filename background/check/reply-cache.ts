import type { CheckAnswer } from '#core/check/check-report';
import type { Connection } from '#core/connections/connection';
import { type KeptReply, type KeptStore, ownedBy } from '#background/seller/session-cache';

const purchaseMs = 5 * 60_000;
const notFoundMs = 30_000;

/** Replies that need not be asked for again yet. Faults are never kept. */
export interface Replies {
  find(connection: Connection, code: string): Promise<KeptReply | undefined>;
  keep(connection: Connection, code: string, answer: CheckAnswer, checkedAt: number): Promise<void>;
  /** Removes what is no longer shown. */
  prune(): Promise<void>;
}

/** @param ringAt asks for `prune` to be called at a moment (epoch milliseconds), so that replies do not outstay. */
export function createReplies(
  kept: KeptStore,
  now: () => number,
  ringAt: (moment: number) => Promise<void>,
): Replies {
  const isStale = ({ until }: KeptReply): boolean => now() >= until;
  return {
    async find(connection, code) {
      const reply = await kept.read('reply', ownedBy(connection, code));
      return reply === undefined || isStale(reply) ? undefined : reply;
    },

    async keep(connection, code, answer, checkedAt) {
      // A not-found that a wrong key may have caused is no answer to keep.
      if (answer.kind === 'not-found' && answer.key !== 'good') return;
      const until = checkedAt + (answer.kind === 'purchase' ? purchaseMs : notFoundMs);
      const owner = ownedBy(connection, code);
      const reply = { answer, checkedAt, until };
      if (!(await kept.write('reply', owner, reply))) {
        await kept.prune('reply', () => true);
        await kept.write('reply', owner, reply);
      }
      await ringAt(until);
    },

    prune: () => kept.prune('reply', isStale),
  };
}
