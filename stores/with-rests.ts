import { delay } from '#core/time/index';

/** How many times as long as its task a rest is. */
const restShare = 4;

/**
 * Runs a task when called, one at a time with a rest after each. Calls in the meantime lead to one more run.
 * @param restMs the shortest rest; after a long run it is longer, so that the page stays free for most of the time
 */
export function withRests(task: () => Promise<unknown>, restMs: number): () => void {
  let isWanted = false;
  let isRunning = false;
  async function run(): Promise<void> {
    isRunning = true;
    try {
      while (isWanted) {
        isWanted = false;
        const startedAt = performance.now();
        await task();
        await delay(Math.max(restMs, restShare * (performance.now() - startedAt)));
      }
    } finally {
      isRunning = false;
    }
  }
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
