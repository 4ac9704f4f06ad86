import type { SellerHttp } from '#adapters/http/http-exchange';
import type { UserAgentRules } from '#adapters/http/user-agent-rule';
import type { AuthorizedAccess } from '#background/seller/access';
import type { SessionCache, SessionRecords } from '#adapters/storage/worker/index';
import type { RunExclusive } from '#background/serial-queue';
import { wasTurnedBack } from '#core/time/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import type { RawReply } from '#core/http/exchange';
import type { Fault } from '#core/marketplaces/index';
import { hideKey } from '#core/connections/index';
import { readRelayFailure, relayOutage } from '#core/team/index';
import type { SellerCall } from '#core/marketplaces/asking';
import { bulkLimit } from '#core/jobs/index';

type Pace = SessionRecords['pace'];

export interface SellerClient {
  /**
   * Sends one request to a seller API and reads its reply.
   *
   * A request that needs a key is not sent without one: the fault is `no-key`.
   *
   * Never sends with a key that was locked meanwhile, and never returns what such a key brought: the fault is `locked`.
   * Hides the key where a reply repeats it, as far as `hideKey` finds it.
   *
   * Never waits: over the connection's rate limit, or before a moment the server named, it returns a fault with
   * `retryAt` at once, and respects how many requests the server says it still accepts. Retries of a broken connection
   * do not count towards the limit, as they seldom arrived.
   *
   * A redirect, or HTML instead of JSON, is requested once more with a plain User-Agent. The fault's `userAgent` says
   * whether that brought JSON; its reply is not used, because the agent decides on the setting.
   */
  request<T>(access: AuthorizedAccess, call: SellerCall<T>): Promise<Result<T, Fault>>;
}

interface ClientDependencies {
  readonly http: SellerHttp;
  readonly sessionCache: SessionCache;
  readonly rules: UserAgentRules;
  /** Tells whether the browser's User-Agent rules match the connections. */
  readonly rulesReady: () => Promise<boolean>;
  readonly runExclusive: RunExclusive;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export function createSellerClient(dependencies: ClientDependencies): SellerClient {
  const { http, sessionCache, rules, rulesReady, runExclusive, now } = dependencies;

  async function request<T>(
    access: AuthorizedAccess,
    call: SellerCall<T>,
  ): Promise<Result<T, Fault>> {
    const { connection, apiKey } = access;
    if (apiKey === '' && call.keyless !== true)
      return fail({ kind: 'no-key', reason: 'never-entered' });
    const { plainUserAgent } = connection.dialect;
    // A request goes out even where its User-Agent rule could not be set; its reply then proves nothing about the
    // User-Agent.
    const isPlain = plainUserAgent && (await rulesReady());
    const first = await send(access, call, plainUserAgent);
    if (first.ok || !isSuspicious(first.fault)) return first;
    if (plainUserAgent) return isPlain ? fail({ ...first.fault, userAgent: 'ruled-out' }) : first;
    await rulesReady();
    const second = await rules.during(connection, () => send(access, call, true));
    return second === undefined ? first : fail({ ...first.fault, userAgent: findingFrom(second) });
  }

  async function send<T>(
    access: AuthorizedAccess,
    call: SellerCall<T>,
    plainUserAgent: boolean,
  ): Promise<Result<T, Fault>> {
    const slot = await takeRequestSlot(access);
    if (!slot.ok) return slot;
    if (access.isLocked()) return fail({ kind: 'locked' });
    const [raw] = await Promise.all([
      http(call.build(access), { deadline: access.deadline, plainUserAgent }),
      slot.value.written,
    ]);
    if (access.isLocked()) return fail({ kind: 'locked' });
    const reply = read(access, call, raw);
    if (!reply.ok) await storeRetryAfter(access, reply.fault);
    if (raw.ok && raw.value.remaining !== undefined)
      await storeRemaining(access, raw.value.remaining);
    return reply;
  }

  /**
   * Reads a reply of the seller, or a failure of the relay that it came through. What a seller says in a relay's
   * headers counts for nothing.
   */
  function read<T>(
    { connection, apiKey }: AuthorizedAccess,
    call: SellerCall<T>,
    raw: Result<RawReply, Fault>,
  ): Result<T, Fault> {
    const { throughRelay } = connection;
    // A relay passes no redirect on, so that a proxy before it sent this one.
    if (!raw.ok) return throughRelay && raw.fault.kind === 'redirected' ? fail(relayOutage) : raw;
    const failure = throughRelay && readRelayFailure(raw.value, now());
    if (failure) return fail(failure);
    const reply = throughRelay ? raw.value : omitUndefined({ ...raw.value, ageMs: undefined });
    return hideKey(call.read(reply, now()), apiKey);
  }

  /**
   * Counts one request, or says when it may go out. Its record is on the way to the browser's process before the
   * request is, so that a worker that is stopped in between loses neither.
   */
  function takeRequestSlot(
    access: AuthorizedAccess,
  ): Promise<Result<{ readonly written: Promise<unknown> }, Fault>> {
    const { connection, priority, isLocked } = access;
    return runExclusive(`pace ${connection.id}`, async () => {
      const pace = await sessionCache.read('pace', paceOwnerOf(connection));
      const { requestsPerMinute } = connection.dialect;
      const limit = priority === 'bulk' ? bulkLimit(requestsPerMinute) : requestsPerMinute;
      const slot = takeSlot(pace, limit, now(), priority === 'bulk' ? leftForAgents : 0);
      if (!slot.may) {
        const by = slot.by === 'server' && connection.throughRelay === true ? 'relay' : slot.by;
        return fail({ kind: 'rate-limited', retryAt: slot.retryAt, by });
      }
      return succeed({
        written: sessionCache.write('pace', paceOwnerOf(connection), slot.pace, isLocked),
      });
    });
  }

  async function storeRetryAfter(access: AuthorizedAccess, fault: Fault): Promise<void> {
    // The relay answers from its cache even when the quota is used up.
    if (fault.kind === 'rate-limited' && fault.by === 'quota') return;
    const waitUntil = 'retryAt' in fault ? fault.retryAt : undefined;
    if (waitUntil === undefined) return;
    // Of two requests under way the later answer may name the earlier moment.
    await changePace(access, (pace) => ({
      ...pace,
      waitUntil: Math.max(waitUntil, pace.waitUntil ?? 0),
    }));
  }

  /** Other programs of the account may have sent more than we know of, and requests of ours may be under way. */
  async function storeRemaining(access: AuthorizedAccess, remaining: number): Promise<void> {
    await changePace(access, (pace) =>
      remaining < (pace.left ?? Infinity) ? { ...pace, left: remaining } : pace,
    );
  }

  function changePace(
    { connection, isLocked }: AuthorizedAccess,
    change: (pace: Pace) => Pace,
  ): Promise<void> {
    return runExclusive(`pace ${connection.id}`, async () => {
      const owner = paceOwnerOf(connection);
      const pace = (await sessionCache.read('pace', owner)) ?? { startedAt: now(), sent: 0 };
      const changed = change(pace);
      if (changed !== pace) await sessionCache.write('pace', owner, changed, isLocked);
    });
  }

  return { request };
}

/** A pace is of an address, whatever the revision: requests of an earlier one may still be under way. */
export function paceOwnerOf({ id, baseAddress }: AuthorizedAccess['connection']): {
  readonly id: string;
  readonly revision: number;
  readonly code: string;
} {
  return { id, revision: 0, code: baseAddress };
}

type Suspicious = Extract<Fault, { userAgent: unknown }>;

function isSuspicious(fault: Fault): fault is Suspicious {
  return 'userAgent' in fault && fault.userAgent === 'suspected';
}

/** Derives a finding from a reply. JSON proves that the API was reached; a failure on the way to it proves nothing. */
function findingFrom(second: Result<unknown, Fault>): Suspicious['userAgent'] {
  if (second.ok || spokeJson.has(second.fault.kind)) return 'confirmed';
  return turnedAway.has(second.fault.kind) ? 'ruled-out' : 'suspected';
}

const spokeJson = new Set<Fault['kind']>(['refused', 'unreadable', 'mismatch']);
const turnedAway = new Set<Fault['kind']>(['redirected', 'not-json', 'api-off']);

type PaceDecision =
  | { readonly may: true; readonly pace: Pace }
  | { readonly may: false; readonly retryAt: number; readonly by: 'server' | 'pacing' };

/** How many of the requests that a server still accepts are left to the agents by bulk checks. */
const leftForAgents = 5;

/** A little over a minute: the server counts from when our first request arrives, not from when it leaves. */
const windowMs = 60_500;

/**
 * Decides whether one more request may go out now.
 *
 * The window opens with the first request, as the rate limits of such servers do, often 60 requests a minute for each
 * client address, so occasional checks never wait.
 * @param reserve how many of the requests that the server still accepts are left to others
 */
export function takeSlot(
  pace: Pace | undefined,
  requestsPerMinute: number,
  now: number,
  reserve = 0,
): PaceDecision {
  const afresh = { may: true, pace: { startedAt: now, sent: 1 } } as const;
  // After the clock was turned back, every moment in the window is wrong.
  if (pace === undefined || wasTurnedBack(pace.startedAt, now)) return afresh;
  if (pace.waitUntil !== undefined && now < pace.waitUntil)
    return { may: false, retryAt: pace.waitUntil, by: 'server' };
  if (now >= pace.startedAt + windowMs) return afresh;
  const { startedAt, sent, left } = pace;
  if (sent >= requestsPerMinute || (left !== undefined && left <= reserve))
    return { may: false, retryAt: startedAt + windowMs, by: 'pacing' };
  const next = { startedAt, sent: sent + 1 };
  return { may: true, pace: left === undefined ? next : { ...next, left: left - 1 } };
}
