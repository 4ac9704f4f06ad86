import { type Ref, ref } from 'vue';

/** Tracks one request out of a series in which only the latest may change what is shown. */
export interface LatestRequest {
  /** Returns false once a later request has begun or the series was cancelled. Ask it anew after each `await`. */
  readonly isLatest: () => boolean;
  /** Aborted at the same moment: for timers and for calls that can be stopped. */
  readonly signal: AbortSignal;
}

export interface LatestSeries {
  /**
   * Makes every earlier request of the series stale.
   * @param outer makes the new request stale as well when it aborts
   */
  begin(outer?: AbortSignal): LatestRequest;
  /** Makes the request under way stale without beginning another. */
  cancel(): void;
}

/**
 * Keeps a slow answer from replacing a newer one.
 * @example
 * const searches = latest();
 *
 * async function search(text: string): Promise<void> {
 *   const { isLatest } = searches.begin();
 *   const found = await port.search(text);
 *   if (isLatest()) results.value = found;
 * }
 */
export function latest(): LatestSeries {
  let current: AbortController | undefined;
  return {
    begin(outer) {
      current?.abort();
      current = new AbortController();
      const signal =
        outer === undefined ? current.signal : AbortSignal.any([current.signal, outer]);
      return { signal, isLatest: () => !signal.aborted };
    },
    cancel() {
      current?.abort();
    },
  };
}

interface OneAtATime {
  /** Whether a task runs. */
  readonly busy: Ref<boolean>;
  /**
   * Runs a task and returns its result; while another task runs, starts nothing and returns undefined. A task that
   * failed may be started again.
   */
  readonly runIfIdle: <T>(task: () => Promise<T>) => Promise<T | undefined>;
}

/** Keeps a second press from doing something twice: only one task runs at a time. */
export function oneAtATime(): OneAtATime {
  const busy = ref(false);
  return {
    busy,
    runIfIdle: async (task) => {
      if (busy.value) return undefined;
      busy.value = true;
      return await task().finally(() => {
        busy.value = false;
      });
    },
  };
}
