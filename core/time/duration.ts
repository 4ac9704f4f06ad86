import { dayMs, hourMs, minuteMs } from '#core/time/units';

/** Holds a length of time in one unit, rounded down. */
export interface Duration {
  readonly unit: 'minute' | 'hour' | 'day' | 'month' | 'year';
  readonly count: number;
}

/** A twelfth of the mean Gregorian year of 365.2425 days. */
const meanMonth = (365.2425 / 12) * dayMs;

/**
 * Converts milliseconds to the largest unit of which there are at least two (`23 months`, not `1 year`); below two hours, to
 * minutes.
 * @param ms whole milliseconds; the sign is ignored
 */
export function durationOf(ms: number): Duration {
  const length = Math.abs(ms);
  return spanFrom(Math.floor(length / meanMonth), length);
}

/**
 * Returns the time between two moments, months and years by the UTC calendar: 31 January to the end of February is one month.
 * @param from epoch milliseconds, as `to`; their order does not matter
 */
export function durationBetween(from: number, to: number): Duration {
  const [earlier, later] = from <= to ? [from, to] : [to, from];
  return spanFrom(wholeMonths(earlier, later), later - earlier);
}

function spanFrom(months: number, length: number): Duration {
  if (months >= 24) return { unit: 'year', count: Math.floor(months / 12) };
  if (months >= 2) return { unit: 'month', count: months };
  if (length >= 2 * dayMs) return { unit: 'day', count: Math.floor(length / dayMs) };
  if (length >= 2 * hourMs) return { unit: 'hour', count: Math.floor(length / hourMs) };
  return { unit: 'minute', count: Math.floor(length / minuteMs) };
}

function wholeMonths(earlier: number, later: number): number {
  const start = new Date(earlier);
  const end = new Date(later);
  const months =
    (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  return months > 0 && addMonths(earlier, months) > later ? months - 1 : months;
}

/** Adds calendar months; a day beyond the end of the month becomes its last day. */
function addMonths(moment: number, months: number): number {
  const date = new Date(moment);
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(dayOfMonth, date.getUTCDate()));
  return date.getTime();
}
