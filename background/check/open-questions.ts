import type { NewEntry, SessionCache } from '#adapters/storage/worker/index';
import type { CheckQuestion } from '#core/check-request';
import { minuteMs } from '#core/time/units';

/** How long a question is remembered: pages ask it again for minutes, while a countdown runs. */
const openMs = 60 * minuteMs;

/** For questions to several connections, keeps cached answers until another connection has given a new one. */
export interface OpenQuestions {
  /**
   * Returns the entries from the cache that are to be stored now: with a new answer those that waited for it, else this one if
   * there was a new answer before.
   */
  entriesToStore(
    question: CheckQuestion,
    entry: NewEntry,
    isFresh: boolean,
  ): Promise<readonly NewEntry[]>;
}

export function createOpenQuestions(sessionCache: SessionCache, now: () => number): OpenQuestions {
  let latest: Promise<unknown> = Promise.resolve();
  return {
    entriesToStore({ id }, entry, isFresh) {
      const owner = { id, revision: 0 };
      const answered = latest.then(async () => {
        const { waiting, hasFresh } = (await sessionCache.read('question', owner)) ?? {
          waiting: [],
          hasFresh: false,
        };
        const entries = isFresh ? waiting : [...waiting, entry];
        const isStored = isFresh || hasFresh;
        await sessionCache.write(
          'question',
          owner,
          { waiting: isStored ? [] : entries, hasFresh: isStored, until: now() + openMs },
          () => false,
        );
        return isStored ? entries : [];
      });
      // One after the other: two answers to one question may come at once.
      latest = answered.catch(() => undefined);
      return answered;
    },
  };
}
