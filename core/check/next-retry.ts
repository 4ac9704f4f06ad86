import { minuteMs } from '#core/time/index';

/** Limits for automatic retries after a fault: how many, and how far ahead. */
const maxRetries = 3;
const maxWaitMs = 15 * minuteMs;

/**
 * Returns when a page retries automatically: the fault's `retryAt`, epoch milliseconds. Undefined if the agent has to
 * retry.
 * @param retries how many automatic retries there were so far
 */
export function nextRetryAt(
  fault: object | undefined,
  retries: number,
  now: number,
): number | undefined {
  const at = fault && 'retryAt' in fault ? Number(fault.retryAt) : Number.NaN;
  return retries < maxRetries && at - now <= maxWaitMs ? at : undefined;
}
