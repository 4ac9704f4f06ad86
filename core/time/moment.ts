import type { JsonValue } from '#core/encoding/index';
import { fail, type Result, succeed } from '#core/result';
import { parseTimestamp } from '#core/time/timestamp';

/**
 * Why a moment cannot be read. `out-of-range`: a number or date outside the years 1970 to 9999, which includes epoch
 * milliseconds in place of seconds.
 */
export type MomentFault = 'unreadable' | 'out-of-range';

const latestMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Reads a moment in a signed document: ISO 8601, or epoch seconds as a number or as digits. A date without a zone is
 * UTC, like all timestamps of the spec; a day without a time means its first instant.
 * @returns epoch milliseconds
 */
export function readMoment(value: JsonValue | undefined): Result<number, MomentFault> {
  if (typeof value === 'number') return momentOfSeconds(value);
  if (typeof value !== 'string') return fail('unreadable');
  const text = value.trim();
  if (/^\d{9,15}(?:\.\d{1,9})?$/.test(text)) return momentOfSeconds(Number(text));
  if (/^[+-]\d{6}-/.test(text)) return fail('out-of-range');
  const moment = parseTimestamp(text, 'day');
  return moment === undefined ? fail('unreadable') : inRange(moment);
}

function momentOfSeconds(seconds: number): Result<number, MomentFault> {
  return inRange(Math.floor(seconds * 1000));
}

function inRange(moment: number): Result<number, MomentFault> {
  return moment >= 0 && moment <= latestMoment ? succeed(moment) : fail('out-of-range');
}
