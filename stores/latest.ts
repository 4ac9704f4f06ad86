import { type Ref, ref } from 'vue';

/** One request in a series in which only the latest may change what is shown. */
export interface LatestRequest {
  /** Returns false after a later request has begun or the series was cancelled. Call it again after each `await`. */
  readonly isLatest: () => boolean;
  /** Aborted at the same moment, for timers and cancellable calls. */
  readonly signal: AbortSignal;
}

export interface LatestSeries {
  /**
   * Makes every earlier request of the series stale.
   * @param outer aborting it also makes the new request stale
   */
  begin(outer?: AbortSignal): LatestRequest;
  /** Makes the present request stale without beginning another. */
  cancel(): void;
}

/**
 * Prevents a slow answer from replacing a newer one.
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
  /** Whether a task is running. */
  readonly busy: Ref<boolean>;
  /**
   * Runs a task and returns its result. If another task is running, does nothing and returns undefined. After a failure
   * a task can be started again.
   */
  readonly runIfIdle: <T>(task: () => Promise<T>) => Promise<T | undefined>;
}

/** Runs only one task at a time, so that a second press does not do something twice. */
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
