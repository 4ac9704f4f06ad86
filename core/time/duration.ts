import { dayMs, hourMs, minuteMs } from '#core/time/units';
import { type Zone, dayAt } from '#core/time/zone';

/** Holds a length of time in one unit. */
export interface Duration {
  readonly unit: 'minute' | 'hour' | 'day' | 'month' | 'year';
  readonly count: number;
}

/**
 * Returns the time between two moments in the largest unit of which there are at least two (`23 months`, not `1 year`). Every
 * "in 5 days", "3 days ago" and "4 months left" is made of it.
 *
 * Minutes are whole, hours the nearest. From 48 hours on the days between the two dates count, and then the whole months between
 * them, as the zone's calendar shows them: 31 January to the end of February is one month.
 * @param from epoch milliseconds, as `to`; their order does not matter
 */
export function durationBetween(from: number, to: number, zone: Zone): Duration {
  const [earlier, later] = from <= to ? [from, to] : [to, from];
  const length = later - earlier;
  const hours = Math.round(length / hourMs);
  if (length < 2 * hourMs) return { unit: 'minute', count: Math.floor(length / minuteMs) };
  if (hours < 48) return { unit: 'hour', count: hours };
  const [first, last] = [dayAt(earlier, zone), dayAt(later, zone)];
  const months = wholeMonths(first, last);
  if (months >= 24) return { unit: 'year', count: Math.floor(months / 12) };
  if (months >= 2) return { unit: 'month', count: months };
  // Two midnights may lie closer than 48 hours, or only one between, where the clocks change.
  return { unit: 'day', count: Math.max(2, last - first) };
}

/** @param first a day, counted from 1 January 1970, as `last` */
function wholeMonths(first: number, last: number): number {
  const start = new Date(first * dayMs);
  const end = new Date(last * dayMs);
  const months =
    (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  return months > 0 && addMonths(first, months) > last ? months - 1 : months;
}

/** Adds calendar months to a day; one beyond the end of the month becomes its last. */
function addMonths(day: number, months: number): number {
  const date = new Date(day * dayMs);
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(dayOfMonth, date.getUTCDate()));
  return date.getTime() / dayMs;
}
