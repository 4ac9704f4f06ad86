import { bulkLimit } from '#core/bulk/progress';
import { type Result, fail } from '#core/result';
import type { Connection } from '#core/connections/connection';
import type { RawReply, SellerRequest } from '#core/seller/exchange';
import type { Fault, FaultKind, UserAgentFinding } from '#core/seller/fault';
import type { SellerAccess } from '#core/seller/requests';
import type { SellerHttp } from '#adapters/http/seller-http';
import type { UserAgentRules } from '#adapters/http/user-agent-rule';
import { type SessionCache, ownerOf } from '#background/seller/session-cache';
import { takeSlot } from '#background/seller/pacing';
import type { RunExclusive } from '#background/serial-queue';

/** What is asked, and how its reply is to be read. */
export interface SellerCall<T> {
  readonly request: (access: SellerAccess) => SellerRequest;
  readonly read: (raw: RawReply, now: number) => Result<T, Fault>;
}

/** A connection with its key, for the length of one piece of work that ends by `deadline` (epoch milliseconds). */
export interface Access {
  readonly connection: Connection;
  readonly apiKey: string;
  readonly deadline: number;
  /** `bulk`: holds back while a part of the limit is left, so that an agent's own checks always find room. */
  readonly lane?: 'bulk';
}

/** Puts one question to one seller API. */
export type SellerClient = <T>(
  access: Access,
  question: SellerCall<T>,
) => Promise<Result<T, Fault>>;

interface Parts {
  readonly http: SellerHttp;
  readonly sessionCache: SessionCache;
  readonly rules: UserAgentRules;
  /** Settles when the browser's rules stand as the connections want them. */
  readonly rulesReady: () => Promise<void>;
  readonly runExclusive: RunExclusive;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * No request leaves before its turn in the connection's pace, or before a moment the server named: that is a fault
 * with `retryAt` at once, never a wait in here. Retries of a broken connection do not count, they seldom arrived.
 *
 * A redirect, or HTML where JSON was due, is asked about once more with a plain User-Agent; whether that brought JSON
 * is the fault's `userAgent`. The answer of that second try is not used: the cure is the agent's to choose.
 */
export function createSellerClient(parts: Parts): SellerClient {
  const { http, sessionCache, rules, rulesReady, runExclusive, now } = parts;

  return async ({ connection, apiKey, deadline, lane }, question) => {
    const { dialect } = connection;
    const request = question.request({ ...connection, apiKey });
    const ask = async (plainUserAgent: boolean) => {
      const refused = await takeTurnOf(connection, lane);
      if (refused) return fail(refused);
      const raw = await http(request, { deadline, plainUserAgent });
      const read = raw.ok ? question.read(raw.value, now()) : raw;
      if (!read.ok) await rememberWait(connection, read.fault);
      return read;
    };

    if (dialect.plainUserAgent) await rulesReady();
    const first = await ask(dialect.plainUserAgent);
    if (first.ok || !isSuspicious(first.fault)) return first;
    if (dialect.plainUserAgent) return fail({ ...first.fault, userAgent: 'ruled-out' });
    await rulesReady();
    const second = await rules.during(connection, () => ask(true));
    return fail({ ...first.fault, userAgent: findingFrom(second) });
  };

  function takeTurnOf(connection: Connection, lane: Access['lane']): Promise<Fault | undefined> {
    return runExclusive(`pace ${connection.id}`, async () => {
      const owner = ownerOf(connection);
      const pace = await sessionCache.read('pace', owner);
      const { requestsPerMinute } = connection.dialect;
      const limit = lane === 'bulk' ? bulkLimit(requestsPerMinute) : requestsPerMinute;
      const turn = takeSlot(pace, limit, now());
      if (!turn.may) return { kind: 'rate-limited', retryAt: turn.retryAt, by: turn.by };
      await sessionCache.write('pace', owner, turn.pace);
      return undefined;
    });
  }

  async function rememberWait(connection: Connection, fault: Fault): Promise<void> {
    const waitUntil =
      fault.kind === 'rate-limited' || fault.kind === 'server-error' ? fault.retryAt : undefined;
    if (waitUntil === undefined) return;
    await runExclusive(`pace ${connection.id}`, async () => {
      const owner = ownerOf(connection);
      const pace = (await sessionCache.read('pace', owner)) ?? { startedAt: now(), sent: 0 };
      await sessionCache.write('pace', owner, { ...pace, waitUntil });
    });
  }
}

type Suspicious = Extract<Fault, { userAgent: UserAgentFinding }>;

function isSuspicious(fault: Fault): fault is Suspicious {
  return 'userAgent' in fault && fault.userAgent === 'suspected';
}

/** Whatever speaks JSON was reached; what went wrong on the way there proves neither. */
function findingFrom(second: Result<unknown, Fault>): UserAgentFinding {
  if (second.ok || spokeJson.has(second.fault.kind)) return 'confirmed';
  return turnedAway.has(second.fault.kind) ? 'ruled-out' : 'suspected';
}

const spokeJson = new Set<FaultKind>(['refused', 'unreadable', 'mismatch']);
const turnedAway = new Set<FaultKind>(['redirected', 'not-json', 'api-off']);
