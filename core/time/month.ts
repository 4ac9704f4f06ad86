import { type Zone, calendarDays } from '#core/time/duration';
import { dayMs } from '#core/time/units';

/** A range of moments, epoch milliseconds; the end is exclusive. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Returns the month of a moment in the zone's calendar: `2026-11`. */
export function monthAt(at: number, zone: Zone): string {
  return dateOf(calendarDays(zone)(at)).slice(0, 7);
}

/** Returns a span that contains a month in every time zone. */
export function aroundMonth(month: string): TimeSpan {
  const [first, next] = daysAround(month);
  return { from: (first - 1) * dayMs, to: (next + 1) * dayMs };
}

/** Lists the months from one moment to a later one, latest first. */
export function monthsBetween(from: number, to: number, zone: Zone): string[] {
  const months = [monthAt(to, zone)];
  const first = monthAt(from, zone);
  for (let last = months[0] ?? first; last > first; months.push(last)) {
    const [start] = daysAround(last);
    last = dateOf(start - 1).slice(0, 7);
  }
  return months;
}

/** Lists the days of a month, as `2026-11-15`. */
export function daysOfMonth(month: string): string[] {
  const [first, next] = daysAround(month);
  return Array.from({ length: next - first }, (_, index) => dateOf(first + index));
}

/** Returns the first day of a month and of the next one, counted from 1 January 1970. */
export function daysAround(month: string): [number, number] {
  const [year = 1970, number = 1] = month.split('-').map(Number);
  return [Date.UTC(year, number - 1) / dayMs, Date.UTC(year, number) / dayMs];
}

/** @param day counted from 1 January 1970 */
function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
