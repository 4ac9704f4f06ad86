import { type Connection, connectionsFor } from '#core/connections/index';
import { type Fault, searchIn } from '#core/marketplaces/index';
import { minuteMs } from '#core/time/index';
import type { BulkWait } from '#core/jobs/job';

/** The share of a connection's rate limit for bulk checks; the rest is for interactive checks. */
const bulkShare = 2 / 3;

/** Returns the total requests per minute at which bulk checks wait; at least 1. */
export function bulkLimit(requestsPerMinute: number): number {
  return Math.max(1, Math.floor(requestsPerMinute * bulkShare));
}

/** One connection of a bulk check, and how many codes are still to be asked at it. */
export interface WaitingCodes {
  readonly waiting: number;
  readonly requestsPerMinute: number;
}

type AskedConnection = Pick<Connection, 'id' | 'marketplace' | 'dialect'>;

/** Returns how many codes each connection is asked about: those that it may have sold. */
function codesAt(
  codes: readonly string[],
  connections: readonly AskedConnection[],
): readonly WaitingCodes[] {
  const waiting = new Map(connections.map(({ id }) => [id, 0]));
  for (const code of codes)
    for (const { id } of connectionsFor(code, connections))
      waiting.set(id, (waiting.get(id) ?? 0) + 1);
  return connections.map(({ id, dialect: { requestsPerMinute } }) => ({
    waiting: waiting.get(id) ?? 0,
    requestsPerMinute,
  }));
}

/** Returns how many minutes the rate limits make a bulk check wait, after the codes that the first one allows. */
export function minutesToWait(
  codes: readonly string[],
  connections: readonly AskedConnection[],
): number {
  return Math.max(
    0,
    ...codesAt(codes, connections).map(
      ({ waiting, requestsPerMinute }) => Math.ceil(waiting / bulkLimit(requestsPerMinute)) - 1,
    ),
  );
}

/**
 * Estimates how long the waiting rows will take, in milliseconds; undefined while fewer than three rows are finished.
 *
 * Uses the slower of two: the rate limits, each with what waits for its own connection, and the median gap between
 * finished rows, which waits for the rate limit do not change.
 * @param finishedAt when each of the latest rows was finished, epoch milliseconds, in any order
 */
export function timeLeft(
  connections: readonly WaitingCodes[],
  finishedAt: readonly number[],
): number | undefined {
  const waiting = connections.reduce((sum, each) => sum + each.waiting, 0);
  if (waiting === 0) return 0;
  if (finishedAt.length < 3) return undefined;
  const times = finishedAt.toSorted((a, b) => a - b);
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? time));
  const middle = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  const minutes = connections.map((each) => each.waiting / bulkLimit(each.requestsPerMinute));
  return Math.max(waiting * middle, ...minutes.map((each) => each * minuteMs));
}

/**
 * Names what the waiting rows of one connection wait for. Without a fault, they wait for an answer that was already
 * requested.
 */
export interface Standstill {
  readonly connectionId: string;
  readonly fault?: Fault;
  /** When the next row is asked about, epoch milliseconds. */
  readonly until?: number;
}

/** How long a running job goes without an answer before it names the connection it is asking, in milliseconds. */
const silenceMs = 3000;

/**
 * Returns what a running job waits for at a moment.
 * @param waiting how many rows wait at each connection, by its id
 * @param waits the latest wait of each connection that was told
 * @param answeredAt when the latest answer came, epoch milliseconds
 */
export function standstillsAt(
  now: number,
  waiting: ReadonlyMap<string, number>,
  waits: readonly BulkWait[],
  answeredAt: number,
): readonly Standstill[] {
  const held = waits.filter(
    ({ connectionId, fault, until }) =>
      now < until || (searchIn(fault) !== undefined && waiting.has(connectionId)),
  );
  if (held.length > 0 || now < answeredAt + silenceMs) return held;
  return [...waiting.keys()].map((connectionId) => ({ connectionId }));
}

/** Counts the rows finished in the minute before `now`. */
export function rateOf(finishedAt: readonly number[], now: number): number {
  return finishedAt.filter((time) => time > now - minuteMs && time <= now).length;
}
