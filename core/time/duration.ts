import { dayMs, hourMs, minuteMs } from '#core/time/units';

/** A length of time in one unit, rounded down: nobody is promised more than there is. */
export interface Duration {
  readonly unit: 'minute' | 'hour' | 'day' | 'month' | 'year';
  readonly count: number;
}

/** Of the mean Gregorian year, 365.2425 days. */
const meanMonth = (365.2425 / 12) * dayMs;

/**
 * A duration without a date to hang it on. The largest unit of which there are two, so that little is lost to rounding
 * (`23 months`, not `1 year`); below two hours, minutes.
 * @param ms whole milliseconds; the sign is ignored.
 */
export function durationOf(ms: number): Duration {
  const length = Math.abs(ms);
  return spanFrom(Math.floor(length / meanMonth), length);
}

/**
 * The time between two moments, its months and years by the UTC calendar: from 31 January to the last day of February is a month.
 * @param from epoch milliseconds, as `to`; which one is earlier does not matter.
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

/** The same day and time some months on, or the last day of a month that is too short for it. */
function addMonths(moment: number, months: number): number {
  const date = new Date(moment);
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(dayOfMonth, date.getUTCDate()));
  return date.getTime();
}
