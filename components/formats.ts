import { useI18n } from '#components/i18n';

import {
  createZone,
  dayAt,
  dayMs,
  durationBetween,
  isOtherClockThanUtc,
  isOtherDayThanUtc,
  minuteMs,
  type Zone,
} from '#core/time/index';
import { visibleText } from '#core/text/index';

/**
 * Formats moments, money and sizes for people. Every view uses this for times. Moments are epoch milliseconds.
 *
 * Times are shown in the reader's zone, which is named if UTC's calendar or clock differs. Exact times, and those that
 * answer a time typed as UTC, are in UTC.
 */
export interface Formats {
  /** Formats a day: 12 March 2027; 13 March 2027 (GMT+14) where it is still the 12th in UTC */
  date: (at: number) => string;
  /** Formats a day briefly: 12 Mar 2027 */
  shortDate: (at: number) => string;
  /** Formats a moment: 12 March 2027 at 14:05; 12 March 2027 at 15:05 (GMT+1) */
  dateTime: (at: number) => string;
  /** Formats a moment briefly: 12 Mar 2027, 14:05 */
  shortDateTime: (at: number) => string;
  /** Formats a day; within two days of `now` with its time, since the hour then matters too. */
  nearDate: (at: number, now: number) => string;
  /** Formats the same briefly: 12 Mar 2027; 12 Mar 2027, 14:05 */
  shortNearDate: (at: number, now: number) => string;
  /** Formats a time of day, with its date if that is not today's: 14:05 */
  clock: (at: number, now: number) => string;
  /** Formats a moment to the second: 2027-03-12 14:05:00 UTC */
  utc: (at: number) => string;
  /** Formats a moment that was typed as UTC, with seconds if it has any. */
  utcTyped: (at: number) => string;
  /** Formats a day of UTC: 2027-03-12 UTC */
  utcDay: (at: number) => string;
  iso: (at: number) => string;
  /** Formats a day of a calendar, counted from 1 January 1970: Fri, 12 Mar 2027 */
  calendarDay: (day: number) => string;
  /** Formats a day relative to today: today; yesterday */
  nearDay: (days: number) => string;
  /** Formats a month, `2027-03`: March 2027 */
  month: (month: string) => string;
  /**
   * Formats a duration in the largest unit of `relative`: 4 months; under a minute in fives of seconds, rounded up: 25
   * seconds
   */
  span: (from: number, to: number) => string;
  /** Formats a moment relative to another, with "yesterday" from 24 hours on: in 4 months; 3 days ago */
  relative: (at: number, now: number) => string;
  /**
   * Formats an amount: $29.00. A currency unknown to the browser is shown as it was sent, and an amount that is missing
   * or unreadable as `—`.
   */
  money: (amount: number | undefined, currency: string) => string;
  number: (value: number) => string;
  /** Lists names with "and": Market, Demo, and Shop */
  all: (names: readonly string[]) => string;
  /** Lists names with "or": Market, Demo, or Shop */
  any: (names: readonly string[]) => string;
  /** Formats a size: 1 MB */
  bytes: (size: number) => string;
  /** Formats a share: 31% */
  percent: (share: number) => string;
  /** The time zone in which times are shown to people. */
  readonly zone: Zone;
}

/** A cache, since a table shows hundreds of times, and a formatter takes longer to create than to use. */
const made = new Map<string, Formats>();

/** Returns the formats for the language of the page and the time zone of this device. */
export function useFormats(): Formats {
  const locale = useI18n().locale;
  const formats = made.get(locale) ?? createFormats(withWesternDigits(locale));
  made.set(locale, formats);
  return formats;
}

/** Returns the locale with western digits, as the texts around dates and numbers have them in every language. */
function withWesternDigits(locale: string): string {
  return new Intl.Locale(locale, { numberingSystem: 'latn' }).toString();
}

function utcTo(length: number, at: number): string {
  return `${new Date(at).toISOString().slice(0, length).replace('T', ' ')} UTC`;
}

/**
 * Creates the formats of a locale.
 * @param timeZone an IANA name; by default the device's own
 */
export function createFormats(
  locale: string,
  timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): Formats {
  const zone = createZone(timeZone);
  const formatter = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone });
  const zoned = formatter({ timeZoneName: 'short' });
  const zoneNameAt = (at: number): string =>
    zoned.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  // A line must not break between a time and its "AM".
  const format = (how: Intl.DateTimeFormat, at: number): string =>
    how.format(at).replace(/(:\d\d) /, '$1\u00A0');
  const withZone =
    (how: Intl.DateTimeFormat, isToBeNamed: typeof isOtherDayThanUtc) =>
    (at: number): string =>
      isToBeNamed(at, zone) ? `${format(how, at)} (${zoneNameAt(at)})` : format(how, at);

  const date = withZone(formatter({ dateStyle: 'long' }), isOtherDayThanUtc);
  const dateTime = withZone(
    formatter({ dateStyle: 'long', timeStyle: 'short' }),
    isOtherClockThanUtc,
  );
  const shortDate = withZone(formatter({ dateStyle: 'medium' }), isOtherDayThanUtc);
  const shortDateTime = withZone(
    formatter({ dateStyle: 'medium', timeStyle: 'short' }),
    isOtherClockThanUtc,
  );
  const clock = formatter({ timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  const named = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  // Intl puts a space between a number and its unit in Japanese, where the texts have none.
  const joined = (text: string): string =>
    locale.startsWith('ja') ? text.replaceAll(' ', '') : text;
  const number = new Intl.NumberFormat(locale);
  const utcFormatter = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const calendarDay = utcFormatter({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  const month = utcFormatter({ month: 'long', year: 'numeric' });
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const units = new Map<string, Intl.NumberFormat>();

  return {
    date,
    shortDate,
    dateTime,
    shortDateTime,
    nearDate: (at, now) => (Math.abs(at - now) < 2 * dayMs ? dateTime(at) : date(at)),
    shortNearDate: (at, now) =>
      Math.abs(at - now) < 2 * dayMs ? shortDateTime(at) : shortDate(at),
    clock: (at, now) =>
      dayAt(at, zone) === dayAt(now, zone) ? format(clock, at) : shortDateTime(at),
    utc: (at) => utcTo(19, at),
    utcTyped: (at) => utcTo(at % minuteMs < 1000 ? 16 : 19, at),
    utcDay: (at) => utcTo(10, at),
    iso: (at) => new Date(at).toISOString(),
    calendarDay: (day) => calendarDay.format(day * dayMs),
    nearDay: (days) => named.format(days, 'day'),
    month: (name) => month.format(Date.parse(`${name}-01`)),
    percent: (share) => percent.format(share),
    zone,
    span: (from, to) => {
      const seconds = Math.ceil((to - from) / 5000) * 5;
      const { count, unit } =
        seconds < 60
          ? ({ count: seconds, unit: 'second' } as const)
          : durationBetween(from, to, zone);
      const format =
        units.get(unit) ??
        new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
      units.set(unit, format);
      return joined(format.format(Math.max(1, count)));
    },
    relative: (at, now) => {
      const { count, unit } = durationBetween(now, at, zone);
      if (count === 0) return named.format(0, 'second');
      const days = dayAt(at, zone) - dayAt(now, zone);
      if (unit === 'hour' && count >= 24 && Math.abs(days) === 1) return named.format(days, 'day');
      return joined(relative.format(at < now ? -count : count, unit));
    },
    money: (amount, currency) => {
      if (amount === undefined) return '—';
      // Intl throws unless a currency has three letters.
      if (!/^[A-Za-z]{3}$/.test(currency))
        return `${number.format(amount)} ${visibleText(currency)}`.trim();
      // Arabic begins with a direction mark of its own; without one at the end, the “$” of “US$” would be torn from its
      // letters.
      return new Intl.NumberFormat(locale, { style: 'currency', currency })
        .format(amount)
        .replace(/^\u200F.+/, '$&\u200E');
    },
    number: (value) => number.format(value),
    all: (names) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(names),
    any: (names) => new Intl.ListFormat(locale, { type: 'disjunction' }).format(names),
    bytes: (size) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: size < 1_000_000 ? 'kilobyte' : 'megabyte',
        maximumFractionDigits: 0,
      }).format(size < 1_000_000 ? size / 1000 : size / 1_000_000),
  };
}
