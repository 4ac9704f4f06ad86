export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** Milliseconds in 24 hours, ignoring daylight saving. */
export const dayMs = 24 * hourMs;

/** How far a clock may be set back to the right time. */
const driftMs = minuteMs;

/**
 * Tells whether the clock was turned back since it showed a moment, by more than a correction of its drift.
 * @param shown epoch milliseconds, as `now`
 */
export function wasTurnedBack(shown: number, now: number): boolean {
  return now <= shown - driftMs;
}

/** Tells whether less than `forMs` has passed since a moment, and the clock was not turned back since. */
export function isFresh(moment: number, now: number, forMs: number): boolean {
  return now < moment + forMs && !wasTurnedBack(moment, now);
}
