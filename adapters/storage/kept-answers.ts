import type { SessionArea, WatchedSessionArea } from '#adapters/storage/storage-area';

/** The session cache's key of the latest answers, so that a lock removes them with all others. */
export const recentChecksName = 'cache:["recent-checks"]';
/** The session cache's key of the ticket cards. */
export const ticketCardsName = 'cache:["ticket-cards"]';
const names = [recentChecksName, ticketCardsName];

/** Removes the answers that pages keep in the browser's memory. Pages that watch them discard theirs. */
export async function forgetKeptAnswers(area: SessionArea): Promise<void> {
  for (const name of names) await area.remove(name);
}

/** Calls back when they were removed: the keys were locked, a connection was deleted, or the history was erased. */
export function watchKeptAnswers(area: WatchedSessionArea, removed: () => void): void {
  area.onChanged.addListener((changes) => {
    if (names.some((name) => name in changes && changes[name]?.newValue === undefined)) removed();
  });
}

/** A list of answers in the browser's memory, which several views may change. */
export interface KeptList<T> {
  /** Returns the present list; empty if the history is off. */
  read(): Promise<readonly T[]>;
  /** Stores the result of `edit` atomically. If the history is off, stores nothing and removes what was stored. */
  change(edit: (kept: readonly T[]) => readonly T[]): Promise<void>;
}

export function createKeptList<T>(
  area: WatchedSessionArea,
  name: string,
  isHistoryOn: () => Promise<boolean>,
): KeptList<T> {
  /** Runs a task under this list's lock, shared by all views. */
  const exclusively = async <R>(task: () => Promise<R>): Promise<R> =>
    navigator.locks.request(name, task);
  /** Only our own program writes it, in exactly this form, and it ends with the browser's session. */
  const stored = async (): Promise<readonly T[]> => ((await area.get(name))[name] ?? []) as T[];

  // Otherwise answers that were being written during the removal would remain.
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
        // If the browser has no room, the seller can be asked again.
        else await area.set({ [name]: edit(await stored()) }).catch(() => undefined);
      }),
  };
}
