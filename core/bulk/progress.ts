import { minuteMs } from '#core/time/units';

/** The share of a connection's rate limit for bulk checks; the rest is for interactive checks. */
const bulkShare = 2 / 3;

/** Returns the total requests per minute at which bulk checks wait; at least 1. */
export function bulkLimit(requestsPerMinute: number): number {
  return Math.max(1, Math.floor(requestsPerMinute * bulkShare));
}

/**
 * Estimates how long the waiting rows will take, in milliseconds; undefined while fewer than three rows are finished.
 *
 * Uses the slower of the rate limit and the median gap between finished rows; waits for the rate limit do not change a median.
 * @param finishedAt when the latest rows were finished, epoch milliseconds, in any order
 */
export function timeLeft(
  waiting: number,
  requestsPerMinute: readonly number[],
  finishedAt: readonly number[],
): number | undefined {
  if (waiting === 0) return 0;
  if (finishedAt.length < 3) return undefined;
  const times = finishedAt.slice(-200).toSorted((a, b) => a - b);
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? time));
  const middle = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  const allowed = requestsPerMinute.reduce((sum, limit) => sum + bulkLimit(limit), 0);
  return Math.max(waiting * middle, (waiting / Math.max(1, allowed)) * minuteMs);
}

/** Counts the rows finished in the minute before `now`. */
export function rateOf(finishedAt: readonly number[], now: number): number {
  return finishedAt.filter((time) => time > now - minuteMs && time <= now).length;
}
