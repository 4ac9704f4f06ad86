import type { NewEntry, SessionCache } from '#adapters/storage/worker/index';
import type { CheckQuestion } from '#core/check/index';
import type { HistoryEntry } from '#core/history/index';
import { minuteMs } from '#core/time/index';

/** How long a question is remembered: pages ask it again for minutes, while a countdown runs. */
const openMs = 60 * minuteMs;

/** What a new answer adds to the history: its question, and the earlier answers that are stored beside it. */
export interface QuestionPart extends Pick<NewEntry, 'question' | 'asked'> {
  /** The stored answers that count beside it. */
  readonly beside: readonly HistoryEntry[];
}

/**
 * Returns the question as it stands in the history.
 * @param entries every entry of the code, the latest first
 * @param connectionId whose answer it is
 */
export function partOf(
  { id, asked, kept }: CheckQuestion,
  entries: readonly HistoryEntry[],
  connectionId: string,
): QuestionPart {
  const answered = new Set(
    entries.flatMap((entry) => (entry.question === id ? [entry.connectionId] : [])),
  );
  const others = kept.filter((one) => one.connectionId !== connectionId);
  const found = others
    .filter((one) => !answered.has(one.connectionId))
    .map((one) => ({
      one,
      entry: entries.find(
        (each) => each.connectionId === one.connectionId && each.checkedAt === one.checkedAt,
      ),
    }));
  // An answer that was erased counts no more; its connection is not one that gave none.
  const lost = new Set(
    found.flatMap(({ one, entry }) => (entry === undefined ? [one.connectionId] : [])),
  );
  const left = asked.filter((each) => !lost.has(each));
  return {
    question: id,
    ...(left.length > 1 ? { asked: left } : {}),
    beside: found.flatMap(({ entry }) => entry ?? []),
  };
}

/** For questions to several connections, keeps answers that are given again until a connection has given a new one. */
export interface OpenQuestions {
  /**
   * Returns the entries that are to be stored now beside a new answer, or where there was one before.
   * @param entry the answer of one connection
   * @param beside the kept answers of the others
   */
  entriesToStore(entry: NewEntry, beside: readonly NewEntry[]): Promise<readonly NewEntry[]>;
}

export function createOpenQuestions(sessionCache: SessionCache, now: () => number): OpenQuestions {
  let latest: Promise<unknown> = Promise.resolve();
  return {
    entriesToStore(entry, beside) {
      const owner = { id: entry.question, revision: 0 };
      const isNew = entry.kept === undefined;
      const answered = latest.then(async () => {
        const { waiting, stored } = (await sessionCache.read('question', owner)) ?? {
          waiting: [],
          stored: [],
        };
        const known = new Set([...stored, ...(isNew ? [entry.connectionId] : [])]);
        const entries = [...waiting, ...(isNew ? [] : [entry]), ...beside].filter(
          ({ connectionId }) => {
            const isFirst = !known.has(connectionId);
            known.add(connectionId);
            return isFirst;
          },
        );
        const isStored = isNew || stored.length > 0;
        await sessionCache.write(
          'question',
          owner,
          {
            waiting: isStored ? [] : entries,
            stored: isStored ? [...known] : [],
            until: now() + openMs,
          },
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
