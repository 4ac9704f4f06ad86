import { minuteMs } from '#core/time/units';

/** The present, and the latest moment that the real clock has ever shown on this machine; epoch milliseconds. */
export interface Clock {
  readonly now: number;
  /** Absent if none is remembered. */
  readonly latestSeen?: number;
}

/**
 * How far a clock may be behind the latest moment seen, or a date ahead of the clock, before that counts as wrong. The
 * clocks of different machines may differ by minutes.
 */
export const clockToleranceMs = 5 * minuteMs;

/**
 * Returns the moment to judge at, epoch milliseconds. A clock that was set back by more than five minutes is not
 * believed.
 */
export function trustedMoment({ now, latestSeen = now }: Clock): {
  readonly moment: number;
  readonly turnedBack: boolean;
} {
  const turnedBack = latestSeen - now > clockToleranceMs;
  return { moment: turnedBack ? latestSeen : now, turnedBack };
}

/** A clock that is set back by less than this was corrected for drift, not turned back. */
const driftMs = minuteMs;

/**
 * Tells whether the clock was turned back after it showed a moment, by more than a drift correction.
 * @param shown epoch milliseconds, as `now`
 */
export function wasTurnedBack(shown: number, now: number): boolean {
  return now <= shown - driftMs;
}

/** Tells whether less than `forMs` has passed since a moment, and the clock was not turned back in the meantime. */
export function isFresh(moment: number, now: number, forMs: number): boolean {
  return now < moment + forMs && !wasTurnedBack(moment, now);
}
