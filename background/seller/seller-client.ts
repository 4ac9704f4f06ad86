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
   * Never sends with a key that was locked in the meantime, and never returns a reply to such a key: the fault is
   * `locked`. Hides the key if a reply repeats it and `hideKey` finds it.
   *
   * Never waits: over the connection's rate limit, or before a moment given by the server, it returns a fault with
   * `retryAt` at once. It respects how many requests the server says it still accepts. Retries after a broken
   * connection do not count towards the limit, since the first attempts seldom arrived.
   *
   * After a redirect, or HTML instead of JSON, the request is repeated once with a plain User-Agent. The fault's
   * `userAgent` shows whether that returned JSON. The second reply is not used, because the agent decides on the
   * setting.
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
    // A request is sent even if its User-Agent rule could not be set; then its reply proves nothing about the
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
   * Reads a seller's reply, or a failure of the relay. Relay headers in a reply that did not come through a relay are
   * ignored.
   */
  function read<T>(
    { connection, apiKey }: AuthorizedAccess,
    call: SellerCall<T>,
    raw: Result<RawReply, Fault>,
  ): Result<T, Fault> {
    const { throughRelay } = connection;
    // A relay never passes on a redirect, so this one came from a proxy in front of it.
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

/**
 * Derives the finding from the second reply. JSON proves that the API was reached; a failure on the way proves nothing.
 */
function findingFrom(second: Result<unknown, Fault>): Suspicious['userAgent'] {
  if (second.ok || spokeJson.has(second.fault.kind)) return 'confirmed';
  return turnedAway.has(second.fault.kind) ? 'ruled-out' : 'suspected';
}

const spokeJson = new Set<Fault['kind']>(['refused', 'unreadable', 'mismatch']);
const turnedAway = new Set<Fault['kind']>(['redirected', 'not-json', 'api-off']);
