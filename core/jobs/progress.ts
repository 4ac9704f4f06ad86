import { type Connection, connectionsFor } from '#core/connections/index';
import { type Fault, searchIn } from '#core/marketplaces/index';
import { minuteMs } from '#core/time/index';
import type { BulkWait } from '#core/jobs/job';

/** The share of a connection's rate limit that bulk checks may use; the rest is for interactive checks. */
const bulkShare = 2 / 3;

/** Returns the requests per minute, interactive ones included, above which bulk checks wait; at least 1. */
export function bulkLimit(requestsPerMinute: number): number {
  return Math.max(1, Math.floor(requestsPerMinute * bulkShare));
}

/** One connection of a bulk check, and how many codes it still has to be asked about. */
export interface WaitingCodes {
  readonly waiting: number;
  readonly requestsPerMinute: number;
}

/** A connection of a running bulk check. */
export interface AskedCodes extends WaitingCodes {
  /** When its rows were finished, epoch milliseconds, in any order. */
  readonly finishedAt: readonly number[];
}

type AskedConnection = Pick<Connection, 'id' | 'marketplace' | 'dialect'>;

/** Counts the codes that each connection is asked about: those that it may have sold. */
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

/** Returns how many minutes a bulk check takes because of the rate limits; the first minute's allowance is free. */
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

/** How many answers of a connection are averaged together, since that many may arrive at once. */
const answersAtOnce = 6;
/** How many of a connection's latest answers determine its pace. */
const recentAnswers = 60;

/**
 * Estimates how long the waiting rows will take, in milliseconds: as long as the slowest connection. Undefined while
 * fewer than three of that connection's rows are finished.
 *
 * A connection answers at the pace of its latest answers until its rate limit is used up, and then waits for the minute
 * to pass. The pace is a median, so that those waits do not distort it.
 */
export function timeLeft(connections: readonly AskedCodes[], now: number): number | undefined {
  const each = connections
    .filter(({ waiting }) => waiting > 0)
    .map((connection) => timeLeftAt(connection, now));
  return each.includes(undefined) ? undefined : Math.max(0, ...each.map((time) => time ?? 0));
}

function timeLeftAt(
  { waiting, requestsPerMinute, finishedAt }: AskedCodes,
  now: number,
): number | undefined {
  if (finishedAt.length < 3) return undefined;
  const times = finishedAt.toSorted((a, b) => a - b);
  const pace = paceOf(times.slice(-recentAnswers));
  const limit = bulkLimit(requestsPerMinute);
  let last = Math.max(times.at(-1) ?? now, now - pace);
  for (let asked = 0; asked < waiting; asked += 1) {
    const free = (times.at(-limit) ?? 0) + minuteMs;
    last = Math.max(last + pace, free);
    times.push(last);
  }
  return last - now;
}

/**
 * Rounds the time that work still takes, in milliseconds, by steps that shrink towards its end: to the nearest minute,
 * in the last minute up to tens of seconds, and in its last half up to fives.
 */
export function roundTimeLeft(left: number): number {
  if (left > minuteMs) return minuteMs * Math.round(left / minuteMs);
  const step = left > minuteMs / 2 ? 10_000 : 5000;
  return step * Math.ceil(left / step);
}

/** Returns the median time between two answers, in milliseconds. */
function paceOf(times: readonly number[]): number {
  const step = Math.min(answersAtOnce, times.length - 1);
  const gaps = times.slice(step).map((time, at) => (time - (times[at] ?? time)) / step);
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
}

/**
 * What the waiting rows of one connection wait for. Without a fault, they wait for an answer that was already
 * requested.
 */
export interface Standstill {
  readonly connectionId: string;
  readonly fault?: Fault;
  /** When the next row is checked, epoch milliseconds. */
  readonly until?: number;
}

/** After this time without an answer, in milliseconds, a running job names the connection that it waits for. */
const silenceMs = 3000;

/**
 * Returns what a running job waits for at a moment.
 * @param waiting how many rows wait at each connection, by its id
 * @param waits the latest wait reported for each connection
 * @param answeredAt when the latest answer came, epoch milliseconds
 */
export function standstillsAt(
  now: number,
  waiting: ReadonlyMap<string, number>,
  waits: readonly BulkWait[],
  answeredAt: number,
): readonly Standstill[] {
  // If no row waits, the key still has to be checked.
  const held = waits.filter(
    ({ connectionId, fault, until }) =>
      (waiting.has(connectionId) || waiting.size === 0) &&
      (now < until || (searchIn(fault) !== undefined && waiting.size > 0)),
  );
  if (held.length > 0 || now < answeredAt + silenceMs) return held;
  return [...waiting.keys()].map((connectionId) => ({ connectionId }));
}

/** Counts the rows finished in the minute before `now`. */
export function rateOf(finishedAt: readonly number[], now: number): number {
  return finishedAt.filter((time) => time > now - minuteMs && time <= now).length;
}
