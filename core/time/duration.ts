import { dayMs, hourMs, minuteMs } from '#core/time/units';

export interface Duration {
  readonly unit: 'minute' | 'hour' | 'day' | 'month' | 'year';
  readonly count: number;
}

/**
 * Returns the time between two moments in the largest unit of which there are at least two (`23 months`, not `1 year`).
 * Every "in 5 days", "3 days ago" and "4 months left" is made from it.
 *
 * Minutes are rounded down, hours to the nearest. From 48 hours on it counts the days between the two dates in the
 * zone's calendar, and then the whole months: 31 January to the end of February is one month.
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
  // When clocks change, two midnights may be less than 48 hours apart, or there may be only one between the moments.
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

/** Adds calendar months to a day. A day beyond the end of the month becomes its last day. */
function addMonths(day: number, months: number): number {
  const date = new Date(day * dayMs);
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(dayOfMonth, date.getUTCDate()));
  return date.getTime() / dayMs;
}

/** A time zone, for reading moments in local time. */
export interface Zone {
  /** The IANA name, `Pacific/Kiritimati`. */
  readonly name: string;
  /**
   * Returns the moment at which a UTC clock shows what the zone's clocks show now.
   * @param at epoch milliseconds
   */
  clockAt(at: number): number;
}

/** Creates a zone. @throws RangeError if the runtime does not know the name */
export function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return {
    name,
    clockAt(at) {
      // The numbers are in the order of en-US. Parsing the text is many times faster than formatToParts.
      const fields = format.format(at).match(/\d+/gu)?.map(Number) ?? [];
      const [month = 1, day = 1, year = 1970, hour = 0, minute = 0, second = 0] = fields;
      const shown = new Date(0);
      // Date.UTC treats the years 0 to 99 as 1900 to 1999.
      shown.setUTCFullYear(year, month - 1, day);
      return shown.setUTCHours(hour, minute, second);
    },
  };
}

/** Returns the day in the zone's calendar, counted from 1 January 1970. */
export function dayAt(at: number, zone: Zone): number {
  return Math.floor(zone.clockAt(at) / dayMs);
}

/**
 * Returns a fast version of {@link dayAt} for tens of thousands of moments. It computes the day once per quarter of an
 * hour, since every zone's offset from UTC is a multiple of that.
 */
export function calendarDays(zone: Zone): (at: number) => number {
  const known = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / quarterMs);
    const day = known.get(quarter) ?? dayAt(at, zone);
    known.set(quarter, day);
    return day;
  };
}

const quarterMs = 15 * minuteMs;

/** Tells whether the day in the zone differs from the UTC day. */
export function isOtherDayThanUtc(at: number, zone: Zone): boolean {
  return dayAt(at, zone) !== Math.floor(at / dayMs);
}

/** Tells whether the hour or minute in the zone differs from UTC. */
export function isOtherClockThanUtc(at: number, zone: Zone): boolean {
  return Math.floor(zone.clockAt(at) / minuteMs) !== Math.floor(at / minuteMs);
}
