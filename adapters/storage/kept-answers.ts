import type { SessionArea, WatchedSessionArea } from '#adapters/storage/storage-area';

/** The latest answers as a key of the session cache, so that a lock removes them with all others. */
export const recentChecksName = 'cache:["recent-checks"]';
/** The cards of tickets as such a key too. */
export const ticketCardsName = 'cache:["ticket-cards"]';
const names = [recentChecksName, ticketCardsName];

/** Removes the answers that pages keep in the browser's memory. Pages that watch them forget theirs. */
export async function forgetKeptAnswers(area: SessionArea): Promise<void> {
  for (const name of names) await area.remove(name);
}

/** Calls back when they were removed: the keys were locked, a connection was deleted, or the history erased. */
export function watchKeptAnswers(area: WatchedSessionArea, removed: () => void): void {
  area.onChanged.addListener((changes) => {
    if (names.some((name) => name in changes && changes[name]?.newValue === undefined)) removed();
  });
}

/** A list of answers in the browser's memory, which several views may change. */
export interface KeptList<T> {
  /** Returns it as the latest change left it; nothing while the history is off. */
  read(): Promise<readonly T[]>;
  /**
   * Keeps what `edit` makes of the list; no other view writes in between. Keeps nothing, and removes what was kept, while
   * the history is off.
   */
  change(edit: (kept: readonly T[]) => readonly T[]): Promise<void>;
}

export function createKeptList<T>(
  area: WatchedSessionArea,
  name: string,
  isHistoryOn: () => Promise<boolean>,
): KeptList<T> {
  /** Runs a task once no other of this list runs in any view. */
  const exclusively = async <R>(task: () => Promise<R>): Promise<R> =>
    navigator.locks.request(name, task);
  /** Only our own program writes it, in this very form, and it goes with the browser's session. */
  const stored = async (): Promise<readonly T[]> => ((await area.get(name))[name] ?? []) as T[];

  // Answers that were being written while they were removed would stand there again.
  watchKeptAnswers(area, () => {
    void exclusively(async () => {
      if ((await stored()).length > 0) await area.remove(name);
    });
  });

  return {
    read: () => exclusively(async () => ((await isHistoryOn()) ? stored() : [])),
    change: (edit) =>
      exclusively(async () => {
        if (!(await isHistoryOn())) await area.remove(name);
        // The browser may have no room: the seller can be asked again.
        else await area.set({ [name]: edit(await stored()) }).catch(() => undefined);
      }),
  };
}
