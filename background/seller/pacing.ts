import type { SessionCache, SessionRecords } from '#adapters/storage/worker/index';
import type { AuthorizedAccess } from '#background/seller/access';
import type { RunExclusive } from '#background/serial-queue';
import { bulkLimit } from '#core/jobs/index';
import type { Fault } from '#core/marketplaces/index';
import { fail, type Result, succeed } from '#core/result';
import { wasTurnedBack } from '#core/time/index';

type Pace = SessionRecords['pace'];

export interface PacingDependencies {
  readonly sessionCache: SessionCache;
  readonly runExclusive: RunExclusive;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Limits the request rate of each connection: counts its requests, and remembers until when the server wants none. */
export interface Pacing {
  /**
   * Counts one request, or returns when it may be sent. The record is sent to the browser before the request is, so
   * that a worker stopped in between does not lose count.
   */
  takeRequestSlot(
    access: AuthorizedAccess,
  ): Promise<Result<{ readonly written: Promise<unknown> }, Fault>>;
  storeRetryAfter(access: AuthorizedAccess, fault: Fault): Promise<void>;
  storeRemaining(access: AuthorizedAccess, remaining: number): Promise<void>;
}

export function createPacing({ sessionCache, runExclusive, now }: PacingDependencies): Pacing {
  function takeRequestSlot(
    access: AuthorizedAccess,
  ): Promise<Result<{ readonly written: Promise<unknown> }, Fault>> {
    const { connection, priority, wasLocked } = access;
    return runExclusive(`pace ${connection.id}`, async () => {
      const pace = await sessionCache.read('pace', paceOwnerOf(connection));
      const { requestsPerMinute } = connection.dialect;
      const limit = priority === 'bulk' ? bulkLimit(requestsPerMinute) : requestsPerMinute;
      const slot = takeSlot(pace, limit, now(), priority === 'bulk' ? leftForAgents : 0);
      if (!slot.granted) {
        const by = slot.by === 'server' && connection.throughRelay === true ? 'relay' : slot.by;
        return fail({ kind: 'rate-limited', retryAt: slot.retryAt, by });
      }
      return succeed({
        written: sessionCache.write('pace', paceOwnerOf(connection), slot.pace, wasLocked),
      });
    });
  }

  async function storeRetryAfter(access: AuthorizedAccess, fault: Fault): Promise<void> {
    // The relay answers from its cache even when the quota is used up.
    if (fault.kind === 'rate-limited' && fault.by === 'quota') return;
    const waitUntil = 'retryAt' in fault ? fault.retryAt : undefined;
    if (waitUntil === undefined) return;
    // If two requests are outstanding, the later answer may give the earlier moment.
    await changePace(access, (pace) => ({
      ...pace,
      waitUntil: Math.max(waitUntil, pace.waitUntil ?? 0),
    }));
  }

  /** Other programs of the account may have sent more requests than we know of, and some of ours may be outstanding. */
  async function storeRemaining(access: AuthorizedAccess, remaining: number): Promise<void> {
    await changePace(access, (pace) =>
      remaining < (pace.left ?? Infinity) ? { ...pace, left: remaining } : pace,
    );
  }

  function changePace(
    { connection, wasLocked }: AuthorizedAccess,
    change: (pace: Pace) => Pace,
  ): Promise<void> {
    return runExclusive(`pace ${connection.id}`, async () => {
      const owner = paceOwnerOf(connection);
      const pace = (await sessionCache.read('pace', owner)) ?? { startedAt: now(), sent: 0 };
      const changed = change(pace);
      if (changed !== pace) await sessionCache.write('pace', owner, changed, wasLocked);
    });
  }

  return { takeRequestSlot, storeRetryAfter, storeRemaining };
}

/**
 * A request rate belongs to an address, regardless of the revision, since requests of an earlier revision may be
 * outstanding.
 */
export function paceOwnerOf({ id, baseAddress }: AuthorizedAccess['connection']): {
  readonly id: string;
  readonly revision: number;
  readonly code: string;
} {
  return { id, revision: 0, code: baseAddress };
}

type PaceDecision =
  | { readonly granted: true; readonly pace: Pace }
  | { readonly granted: false; readonly retryAt: number; readonly by: 'server' | 'pacing' };

/** How many of the requests that a server still accepts bulk checks leave to the agents. */
const leftForAgents = 5;

/** A little over a minute, in milliseconds, because the server counts from the arrival of our first request. */
const windowMs = 60_500;

/**
 * Decides whether one more request may go out now.
 *
 * As in the rate limits of such servers (often 60 requests a minute per client address), the window opens with the
 * first request, so occasional checks never wait.
 * @param reserve how many of the requests that the server still accepts to leave to others
 */
export function takeSlot(
  pace: Pace | undefined,
  requestsPerMinute: number,
  now: number,
  reserve = 0,
): PaceDecision {
  const afresh = { granted: true, pace: { startedAt: now, sent: 1 } } as const;
  // If the clock was turned back, the window's moments are wrong.
  if (pace === undefined || wasTurnedBack(pace.startedAt, now)) return afresh;
  if (pace.waitUntil !== undefined && now < pace.waitUntil)
    return { granted: false, retryAt: pace.waitUntil, by: 'server' };
  if (now >= pace.startedAt + windowMs) return afresh;
  const { startedAt, sent, left } = pace;
  if (sent >= requestsPerMinute || (left !== undefined && left <= reserve))
    return { granted: false, retryAt: startedAt + windowMs, by: 'pacing' };
  const next = { startedAt, sent: sent + 1 };
  return { granted: true, pace: left === undefined ? next : { ...next, left: left - 1 } };
}
