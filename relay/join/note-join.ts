import type { JoinStep, RelayLog } from '#relay/observe/log';
import type { RelayMetrics } from '#relay/observe/metrics';

/** Logs and counts a step of a join. @param agent the agent's id; it stands in the log alone */
export function noteJoin(
  { log, metrics }: { readonly log: RelayLog; readonly metrics: RelayMetrics },
  step: JoinStep,
  agent?: string,
): void {
  log.join(step, agent);
  metrics.joined(step);
}
