import { wasTurnedBack } from '#core/time/units';

/** Holds the request rate of one connection, and its server's `Retry-After`. Moments are epoch milliseconds. */
export interface Pace {
  /** When the present window began: its first request. */
  readonly startedAt: number;
  /** Requests sent in it. */
  readonly sent: number;
  /** The server's own `Retry-After`. */
  readonly waitUntil?: number;
}

export type PaceDecision =
  | { readonly may: true; readonly pace: Pace }
  | { readonly may: false; readonly retryAt: number; readonly by: 'server' | 'pacing' };

/** A little over a minute: the server counts from when our first request arrives, not from when it leaves. */
const windowMs = 60_500;

/**
 * Decides whether one more request may go out now.
 *
 * The window opens with the first request, as the rate limits of such servers do (field notes: 60 a minute for each
 * client address), so occasional checks never wait.
 */
export function takeSlot(
  pace: Pace | undefined,
  requestsPerMinute: number,
  now: number,
): PaceDecision {
  const afresh = { may: true, pace: { startedAt: now, sent: 1 } } as const;
  // A clock that was turned back makes every moment in it a wrong one.
  if (pace === undefined || wasTurnedBack(pace.startedAt, now)) return afresh;
  if (pace.waitUntil !== undefined && now < pace.waitUntil)
    return { may: false, retryAt: pace.waitUntil, by: 'server' };
  if (now >= pace.startedAt + windowMs) return afresh;
  if (pace.sent >= requestsPerMinute)
    return { may: false, retryAt: pace.startedAt + windowMs, by: 'pacing' };
  return { may: true, pace: { startedAt: pace.startedAt, sent: pace.sent + 1 } };
}

/** Gives interactive requests priority over bulk requests. */
export interface InteractivePriority {
  /** Runs a task that an agent waits for. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Settles when no such task runs. */
  whenIdle(): Promise<void>;
}

export function createInteractivePriority(): InteractivePriority {
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    async run(task) {
      running += 1;
      try {
        return await task();
      } finally {
        running -= 1;
        if (running === 0) {
          for (const resume of waiting) resume();
          waiting = [];
        }
      }
    },
    async whenIdle() {
      while (running > 0) await new Promise<void>((resume) => waiting.push(resume));
    },
  };
}
