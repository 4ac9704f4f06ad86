import type { RelayLog } from '#relay/observe/log';
import type { RelayMetrics } from '#relay/observe/metrics';

/** Logs and counts that the store failed. @param during what was asked of it */
export function noteStoreFault(
  { log, metrics }: { readonly log: RelayLog; readonly metrics: RelayMetrics },
  during: string,
  error: unknown,
): void {
  log.storeFault(during, error);
  metrics.storeFault();
}
