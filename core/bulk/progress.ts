import { minuteMs } from '#core/time/units';

/** The share of a connection's limit that bulk checks may use, so that an agent's own checks always find room. */
const bulkShare = 2 / 3;

/** Whole requests a minute that may be used in all before bulk checks hold back; one at least. */
export function bulkLimit(requestsPerMinute: number): number {
  return Math.max(1, Math.floor(requestsPerMinute * bulkShare));
}

/**
 * How long the rest will take, in milliseconds, or undefined while too little is known.
 *
 * Two things hold a job back: the limit, which lets rows through in bursts, and the server, which takes its time for each. The
 * slower one counts. The middle gap between two finished rows is the server's: the long waits between bursts do not move it.
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

/** Rows finished in the minute before `now`. */
export function rateOf(finishedAt: readonly number[], now: number): number {
  return finishedAt.filter((time) => time > now - minuteMs && time <= now).length;
}
