export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** Milliseconds in 24 hours, ignoring daylight saving. */
export const dayMs = 24 * hourMs;
