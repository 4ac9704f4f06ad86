import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';

import { durationBetween } from '#core/time/duration';
import { dayMs } from '#core/time/units';
import { visibleText } from '#core/text/visible-text';

/** Writes moments, money and sizes for people. Moments are epoch milliseconds; local time is for reading, UTC is exact. */
export interface Formats {
  /** 12 March 2027 */
  date: (at: number) => string;
  /** 12 Mar 2027 */
  shortDate: (at: number) => string;
  /** 12 March 2027 at 14:05 */
  dateTime: (at: number) => string;
  /** The date, and with it the time within two days of `now`: so near, the hour matters as much as the day. */
  nearDate: (at: number, now: number) => string;
  /** 14:05 */
  clock: (at: number) => string;
  /** 2027-03-12 14:05:00 UTC */
  utc: (at: number) => string;
  /** 2027-03-12 14:05 UTC */
  utcMinute: (at: number) => string;
  iso: (at: number) => string;
  /** 4 months */
  span: (from: number, to: number) => string;
  /** in 4 months; 3 days ago */
  relative: (at: number, now: number) => string;
  /** $29.00; a currency the browser does not know as it was sent, and `—` for an amount that was not sent or cannot be read */
  money: (amount: number | undefined, currency: string) => string;
  number: (value: number) => string;
  /** 1 MB */
  bytes: (size: number) => string;
}

export function useFormats(): Formats {
  const { locale } = useI18n();
  const made: ComputedRef<Formats> = computed(() => createFormats(locale.value));
  return {
    date: (at) => made.value.date(at),
    shortDate: (at) => made.value.shortDate(at),
    dateTime: (at) => made.value.dateTime(at),
    nearDate: (at, now) => made.value.nearDate(at, now),
    clock: (at) => made.value.clock(at),
    utc: (at) => made.value.utc(at),
    utcMinute: (at) => made.value.utcMinute(at),
    iso: (at) => made.value.iso(at),
    span: (from, to) => made.value.span(from, to),
    relative: (at, now) => made.value.relative(at, now),
    money: (amount, currency) => made.value.money(amount, currency),
    number: (value) => made.value.number(value),
    bytes: (size) => made.value.bytes(size),
  };
}

function utcTo(length: number, at: number): string {
  return `${new Date(at).toISOString().slice(0, length).replace('T', ' ')} UTC`;
}

export function createFormats(locale: string): Formats {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  const shortDate = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  const present = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second');
  const number = new Intl.NumberFormat(locale);

  return {
    date: (at) => date.format(at),
    shortDate: (at) => shortDate.format(at),
    dateTime: (at) => dateTime.format(at),
    nearDate: (at, now) => (Math.abs(at - now) < 2 * dayMs ? dateTime.format(at) : date.format(at)),
    clock: (at) => clock.format(at),
    utc: (at) => utcTo(19, at),
    utcMinute: (at) => utcTo(16, at),
    iso: (at) => new Date(at).toISOString(),
    span: (from, to) => {
      const { count, unit } = durationBetween(from, to);
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(
        Math.max(1, count),
      );
    },
    relative: (at, now) => {
      const { count, unit } = durationBetween(now, at);
      return count === 0 ? present : relative.format(at < now ? -count : count, unit);
    },
    money: (amount, currency) => {
      if (amount === undefined) return '—';
      // Three letters are all that Intl asks of a currency; anything else makes it throw.
      if (!/^[A-Za-z]{3}$/.test(currency))
        return `${number.format(amount)} ${visibleText(currency)}`.trim();
      return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount);
    },
    number: (value) => number.format(value),
    bytes: (size) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: size < 1_000_000 ? 'kilobyte' : 'megabyte',
        maximumFractionDigits: 0,
      }).format(size < 1_000_000 ? size / 1000 : size / 1_000_000),
  };
}
