import type { SessionArea } from '#adapters/storage/worker/index';

/**
 * Stands in `storage.session` while a gap in the history was not told: `true`, or the worker that was about to record
 * rows.
 */
const gap = 'historyGap';

/** Remembers that an answer could not be stored, until a check has told the agent. */
export interface HistoryGap {
  /** Tells whether there is one that nobody was told of. What this worker still expects to record is none. */
  hasGap(): Promise<boolean>;
  markGap(): Promise<void>;
  clearGap(): Promise<void>;
  /** Marks a gap for the case that this worker is stopped before `endBulk`. */
  expectBulk(): Promise<void>;
  endBulk(): Promise<void>;
}

export function createHistoryGap(session: SessionArea): HistoryGap {
  const worker = crypto.randomUUID();
  let isExpecting = false;
  let marking: Promise<unknown> = Promise.resolve();

  const find = async (): Promise<unknown> => (await session.get(gap))[gap];

  /** Marks one after the other: an end must not take away the mark of what was expected after it. */
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
