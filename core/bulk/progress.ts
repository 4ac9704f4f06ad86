import { minuteMs } from '#core/time/units';

/** The share of a connection's rate limit that bulk checks may use; the rest is for the agent's own checks. */
const bulkShare = 2 / 3;

/** Returns the requests per minute, of every kind, above which bulk checks wait; 1 at least. */
export function bulkLimit(requestsPerMinute: number): number {
  return Math.max(1, Math.floor(requestsPerMinute * bulkShare));
}

/**
 * Estimates how long the waiting rows will take, in milliseconds; undefined while fewer than three rows are finished.
 *
 * The slower of two things counts: the rate limit, which lets rows through in bursts, and the server's own time for a row.
 * The latter is the median gap between finished rows, which the long waits between bursts do not change.
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
