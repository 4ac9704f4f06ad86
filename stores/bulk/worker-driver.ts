import { delay } from '#core/time/index';
import { latest } from '#stores/latest';
import { askPort, clockPort, usePort } from '#stores/ports';

/** How long to wait before asking a worker again that gave no answer. */
const retryDelayMs = 1000;

/**
 * Keeps the worker running jobs while this page is open. Call it in a store's setup.
 *
 * The worker may be stopped at any moment and is asked again. The moment it names for the next run is waited for,
 * unless the agent changes something meanwhile.
 * @param finished called when no job is left to run
 * @returns what starts it, and what wakes it after a change
 */
export function createWorkerDriver(finished: () => Promise<void>): () => Promise<void> {
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const waits = latest();
  let wanted = false;
  let running = false;

  /** A function, because another call of the driver changes the answer during each `await`. */
  const isWanted = (): boolean => wanted;

  return async () => {
    wanted = true;
    waits.cancel();
    if (running) return;
    running = true;
    while (isWanted()) {
      wanted = false;
      const { nextRunAt } = await ask('bulk.drive', {}).catch(() => ({
        nextRunAt: now() + retryDelayMs,
      }));
      if (nextRunAt === undefined) continue;
      if (!isWanted()) await delay(nextRunAt - now(), waits.begin().signal);
      wanted = true;
    }
    running = false;
    await finished();
  };
}
