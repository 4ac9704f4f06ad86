import type { CallParts } from '#relay/calls/parts';
import { noteStoreFault } from '#relay/observe/note-store-fault';

const everyMs = 60_000;

/** Removes expired replies from the cache every minute, whoever asks meanwhile. Returns what ends it. */
export function sweepReplies({
  store,
  log,
  metrics,
}: Pick<CallParts, 'store' | 'log' | 'metrics'>): () => void {
  const ended = new AbortController();
  async function dropAll(): Promise<void> {
    while (!ended.signal.aborted && (await store.dropExpiredReplies()) > 0);
  }
  const sweep = (): Promise<void> =>
    dropAll().catch((error: unknown) => {
      noteStoreFault({ log, metrics }, 'cache', error);
    });
  const timer = setInterval(() => void sweep(), everyMs);
  return () => {
    ended.abort();
    clearInterval(timer);
  };
}
