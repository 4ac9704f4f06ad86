import { delay } from '#core/time/index';
import { latest } from '#stores/latest';
import { askPort, clockPort, usePort } from '#stores/ports';

/** How long to wait before asking again if the worker gave no answer, in milliseconds. */
const retryDelayMs = 1000;

/**
 * Keeps the worker running jobs while this page is open. Call it in a store's setup.
 *
 * The worker may be stopped at any moment and is then asked again. The driver waits until the next run that the worker
 * names, unless the agent changes something in the meantime.
 * @param finished called when no job is left to run
 * @returns a function that starts it, and wakes it after a change
 */
export function createWorkerDriver(finished: () => Promise<void>): () => Promise<void> {
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const waits = latest();
  let wanted = false;
  let running = false;

  /** A function, because another call of the driver can change the value during each `await`. */
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
