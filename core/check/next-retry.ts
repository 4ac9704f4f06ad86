import { minuteMs } from '#core/time/index';

/** How often a page asks again by itself after a fault, and how far ahead at most. */
const maxRetries = 3;
const maxWaitMs = 15 * minuteMs;

/**
 * Returns the moment at which a page asks again by itself, epoch milliseconds: the fault's `retryAt`. Undefined where the
 * agent has to ask.
 * @param retries how often it has asked again by itself
 */
export function nextRetryAt(
  fault: object | undefined,
  retries: number,
  now: number,
): number | undefined {
  const at = fault && 'retryAt' in fault ? Number(fault.retryAt) : Number.NaN;
  return retries < maxRetries && at - now <= maxWaitMs ? at : undefined;
}
