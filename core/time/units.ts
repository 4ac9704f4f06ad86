/** Counts the milliseconds of a minute. */
export const minuteMs = 60_000;
/** Counts the milliseconds of an hour. */
export const hourMs = 60 * minuteMs;
/** Counts the milliseconds of 24 hours, without regard to daylight saving. */
export const dayMs = 24 * hourMs;
