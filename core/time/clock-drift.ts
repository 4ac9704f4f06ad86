import { minuteMs } from '#core/time/units';

/** How far a clock may be set back to the right time. */
const driftMs = minuteMs;

/**
 * Tells whether the clock was turned back since it showed a moment, by more than a correction of its drift.
 * @param shown epoch milliseconds, as `now`
 */
export function wasTurnedBack(shown: number, now: number): boolean {
  return now <= shown - driftMs;
}
