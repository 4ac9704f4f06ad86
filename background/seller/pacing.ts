/** How fast one connection has been asked, and whether its server told us to wait. Moments are epoch milliseconds. */
export interface Pace {
  /** First request of the present window. */
  readonly startedAt: number;
  /** Requests sent in it. */
  readonly sent: number;
  /** The server's own `Retry-After`. */
  readonly waitUntil?: number;
}

export type PaceDecision =
  | { readonly may: true; readonly pace: Pace }
  | { readonly may: false; readonly retryAt: number; readonly by: 'server' | 'pacing' };

/** A little more than a minute: the server starts to count when our first request arrives, not when it leaves. */
const windowMs = 60_500;

/**
 * Whether one more request may go out now. The window opens with the first request, as rate limits of such servers do
 * (field notes: 60 a minute for each client address), so a team that checks now and then never waits.
 */
export function takeSlot(
  pace: Pace | undefined,
  requestsPerMinute: number,
  now: number,
): PaceDecision {
  if (pace?.waitUntil !== undefined && now < pace.waitUntil)
    return { may: false, retryAt: pace.waitUntil, by: 'server' };
  const isOver = pace === undefined || now >= pace.startedAt + windowMs || now < pace.startedAt;
  if (isOver) return { may: true, pace: { startedAt: now, sent: 1 } };
  if (pace.sent >= requestsPerMinute)
    return { may: false, retryAt: pace.startedAt + windowMs, by: 'pacing' };
  return { may: true, pace: { startedAt: pace.startedAt, sent: pace.sent + 1 } };
}
