/** The present, and the latest moment that the real clock has ever shown here; epoch milliseconds. */
export interface Clock {
  readonly now: number;
  /** Absent: none is remembered. */
  readonly latestSeen?: number;
}

/** Limits how far a clock may stand behind the latest moment seen, and a date ahead of the clock, before it counts. */
export const clockToleranceMs = 5 * 60_000;

/** The one moment to judge at, epoch milliseconds. A clock that was set back by more than five minutes is not believed. */
export function trustedMoment({ now, latestSeen = now }: Clock): {
  readonly moment: number;
  readonly turnedBack: boolean;
} {
  const turnedBack = latestSeen - now > clockToleranceMs;
  return { moment: turnedBack ? latestSeen : now, turnedBack };
}
