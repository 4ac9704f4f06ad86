import type { JsonValue } from '#core/license/encoding/strict-json';
import { fail, type Result, succeed } from '#core/result';

/**
 * Tells why a moment cannot be read. `out-of-range`: a number or date outside the years 1970 to 9999; epoch milliseconds
 * where seconds are due land there too.
 */
export type MomentFault = 'unreadable' | 'out-of-range';

const latestMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const isoTimestamp =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Reads a moment in a signed document: ISO 8601, or epoch seconds as a number or as digits. A date without a zone is UTC, as all
 * timestamps of the spec are; a day without a time is its first instant.
 * @returns epoch milliseconds
 */
export function readMoment(value: JsonValue | undefined): Result<number, MomentFault> {
  if (typeof value === 'number') return momentOfSeconds(value);
  if (typeof value !== 'string') return fail('unreadable');
  const text = value.trim();
  if (/^\d{9,15}(?:\.\d{1,9})?$/.test(text)) return momentOfSeconds(Number(text));
  if (/^[+-]\d{6}-/.test(text)) return fail('out-of-range');
  const parts = isoTimestamp.exec(text);
  return parts === null ? fail('unreadable') : momentOfParts(parts);
}

function momentOfSeconds(seconds: number): Result<number, MomentFault> {
  return inRange(Math.floor(seconds * 1000));
}

function momentOfParts(parts: RegExpExecArray): Result<number, MomentFault> {
  const number = (at: number): number => Number(parts[at] ?? 0);
  const [year, month, day] = [number(1), number(2), number(3)];
  const [hour, minute, second] = [number(4), number(5), number(6)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return fail('unreadable');
  if (hour > 23 || minute > 59 || second > 59) return fail('unreadable');
  const offset = offsetOf(parts[8] ?? 'Z');
  if (offset === undefined) return fail('unreadable');
  // `Date.UTC` takes the years 0 to 99 for those of the last century.
  if (year < 1970) return fail('out-of-range');
  const milliseconds = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  return inRange(
    Date.UTC(year, month - 1, day, hour, minute, second, milliseconds) - offset * 60_000,
  );
}

/** Minutes east of UTC. */
function offsetOf(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function inRange(moment: number): Result<number, MomentFault> {
  return moment >= 0 && moment <= latestMoment ? succeed(moment) : fail('out-of-range');
}
