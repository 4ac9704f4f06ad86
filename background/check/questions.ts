import type { NewEntry, SessionCache } from '#adapters/storage/worker/index';
import type { CheckQuestion } from '#core/check/index';
import type { HistoryEntry } from '#core/history/index';
import { minuteMs } from '#core/time/index';

/** How long a question is remembered: while a countdown runs, pages may repeat it for minutes. */
const openMs = 60 * minuteMs;

/** The additions of a new answer to the history: its question, and the earlier answers to store with it. */
export interface QuestionPart extends Pick<NewEntry, 'question' | 'asked'> {
  /** The stored earlier answers that count together with the new one. */
  readonly reused: readonly HistoryEntry[];
}

/**
 * Returns a question in the form that the history stores.
 * @param entries every entry of the code, newest first
 * @param connectionId the connection that answered
 */
export function questionForHistory(
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
  // If an earlier answer was erased, its connection is left out, so that it does not seem to have given no answer.
  const lost = new Set(
    found.flatMap(({ one, entry }) => (entry === undefined ? [one.connectionId] : [])),
  );
  const left = asked.filter((each) => !lost.has(each));
  return {
    question: id,
    ...(left.length > 1 ? { asked: left } : {}),
    reused: found.flatMap(({ entry }) => entry ?? []),
  };
}

/**
 * For questions to several connections, holds back answers that are given again until some connection has given a new
 * one.
 */
export interface OpenQuestions {
  /**
   * Returns the entries to store now: none until a new answer has come, then all that were held back.
   * @param entry the answer of one connection
   * @param reused the earlier answers of the others
   */
  entriesToStore(entry: NewEntry, reused: readonly NewEntry[]): Promise<readonly NewEntry[]>;
}

export function createOpenQuestions(sessionCache: SessionCache, now: () => number): OpenQuestions {
  let latest: Promise<unknown> = Promise.resolve();
  return {
    entriesToStore(entry, reused) {
      const owner = { id: entry.question, revision: 0 };
      const isNew = entry.kept === undefined;
      const answered = latest.then(async () => {
        const { waiting, stored } = (await sessionCache.read('question', owner)) ?? {
          waiting: [],
          stored: [],
        };
        const known = new Set([...stored, ...(isNew ? [entry.connectionId] : [])]);
        const entries = [...waiting, ...(isNew ? [] : [entry]), ...reused].filter(
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
      // In order, because two answers to one question may arrive at the same time.
      latest = answered.catch(() => undefined);
      return answered;
    },
  };
}
