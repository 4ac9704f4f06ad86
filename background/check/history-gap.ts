import type { SessionArea } from '#adapters/storage/worker/index';

/**
 * The key in `storage.session` of an unreported gap in the history: `true`, or the id of the worker that was about to
 * record rows.
 */
const gap = 'historyGap';

/** Remembers that an answer could not be stored, until a check has reported it to the agent. */
export interface HistoryGap {
  /** Tells whether there is an unreported gap. Answers that this worker is still going to record do not count. */
  hasGap(): Promise<boolean>;
  markGap(): Promise<void>;
  clearGap(): Promise<void>;
  /** Marks a gap, in case this worker is stopped before `endBulk`. */
  expectBulk(): Promise<void>;
  endBulk(): Promise<void>;
}

export function createHistoryGap(session: SessionArea): HistoryGap {
  const worker = crypto.randomUUID();
  let isExpecting = false;
  let marking: Promise<unknown> = Promise.resolve();

  const find = async (): Promise<unknown> => (await session.get(gap))[gap];

  /** Changes the mark in order, so that an end does not remove the mark of a later start. */
  async function mark(change: () => Promise<void>): Promise<void> {
    const marked = marking.then(change);
    marking = marked.catch(() => undefined);
    await marked;
  }

  return {
    async hasGap() {
      const found = await find();
      return found !== undefined && found !== worker;
    },
    markGap: () => session.set({ [gap]: true }),
    clearGap: () => session.remove(gap),
    expectBulk: () =>
      mark(async () => {
        if (isExpecting) return;
        isExpecting = true;
        if ((await find()) === undefined) await session.set({ [gap]: worker });
      }),
    endBulk: () =>
      mark(async () => {
        if (!isExpecting) return;
        isExpecting = false;
        if ((await find()) === worker) await session.remove(gap);
      }),
  };
}
