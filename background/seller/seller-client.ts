import type { SellerHttp } from '#adapters/http/http-exchange';
import type { UserAgentRules } from '#adapters/http/user-agent-rule';
import type { AuthorizedAccess } from '#background/seller/access';
import { createPacing, type PacingDependencies } from '#background/seller/pacing';
import { type Result, fail, omitUndefined } from '#core/result';
import type { RawReply } from '#core/http/exchange';
import type { Fault } from '#core/marketplaces/index';
import { hideKey } from '#core/connections/index';
import { readRelayFailure, relayOutage } from '#core/team/index';
import type { SellerCall } from '#core/marketplaces/asking';

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

interface ClientDependencies extends PacingDependencies {
  readonly http: SellerHttp;
  readonly rules: UserAgentRules;
  /** Tells whether the browser's User-Agent rules match the connections. */
  readonly rulesReady: () => Promise<boolean>;
}

export function createSellerClient(dependencies: ClientDependencies): SellerClient {
  const { http, rules, rulesReady, now } = dependencies;
  const pacing = createPacing(dependencies);

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
    const slot = await pacing.takeRequestSlot(access);
    if (!slot.ok) return slot;
    if (access.wasLocked()) return fail({ kind: 'locked' });
    const [raw] = await Promise.all([
      http(call.build(access), { deadline: access.deadline, plainUserAgent }),
      slot.value.written,
    ]);
    if (access.wasLocked()) return fail({ kind: 'locked' });
    const reply = read(access, call, raw);
    if (!reply.ok) await pacing.storeRetryAfter(access, reply.fault);
    if (raw.ok && raw.value.remaining !== undefined)
      await pacing.storeRemaining(access, raw.value.remaining);
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

  return { request };
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
