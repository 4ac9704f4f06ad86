import { dayMs, minuteMs } from '#core/time/units';

/** Reads moments as the clocks of one time zone show them. */
export interface Zone {
  /** The IANA name, `Pacific/Kiritimati`. */
  readonly name: string;
  /**
   * Returns the moment at which a clock in UTC shows what the zone's clocks show at this one.
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
      // Numerals in the order of en-US; reading them from the text takes a fraction of the time of formatToParts.
      const fields = format.format(at).match(/\d+/gu)?.map(Number) ?? [];
      const [month = 1, day = 1, year = 1970, hour = 0, minute = 0, second = 0] = fields;
      const shown = new Date(0);
      // Date.UTC takes the years 0 to 99 for 1900 to 1999.
      shown.setUTCFullYear(year, month - 1, day);
      return shown.setUTCHours(hour, minute, second);
    },
  };
}

/** Returns the day that the zone's calendars show, counted from 1 January 1970. */
export function dayAt(at: number, zone: Zone): number {
  return Math.floor(zone.clockAt(at) / dayMs);
}

/** Tells whether the zone's calendars show another day than UTC's. */
export function isOtherDayThanUtc(at: number, zone: Zone): boolean {
  return dayAt(at, zone) !== Math.floor(at / dayMs);
}

/** Tells whether the zone's clocks show another hour or minute than UTC's. */
export function isOtherClockThanUtc(at: number, zone: Zone): boolean {
  return Math.floor(zone.clockAt(at) / minuteMs) !== Math.floor(at / minuteMs);
}
