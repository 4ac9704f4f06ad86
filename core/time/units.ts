/** Lengths of time in milliseconds. A day is 24 hours: none of them knows calendars or daylight saving. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
