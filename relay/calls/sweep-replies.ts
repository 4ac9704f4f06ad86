import type { CallParts } from '#relay/calls/parts';

const everyMs = 60_000;

/** Removes expired replies from the cache every minute, whoever asks meanwhile. Returns what ends it. */
export function sweepReplies({
  store,
  log,
  metrics,
}: Pick<CallParts, 'store' | 'log' | 'metrics'>): () => void {
  const sweep = (): Promise<unknown> =>
    store.dropExpiredReplies().catch((error: unknown) => {
      metrics.storeFault();
      log.storeFault('cache', error);
    });
  const timer = setInterval(() => void sweep(), everyMs);
  return () => {
    clearInterval(timer);
  };
}
