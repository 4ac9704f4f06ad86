import type { Clocks } from '#relay/machine/clocks';
import { timeLeft } from '#relay/machine/live-time';
import { delay } from '#core/time/index';
import { fail, omitUndefined, type Result, succeed } from '#core/result';
import type { RawReply, SellerRequest } from '#core/http/exchange';
import type { SellerCall, CallKind } from '#core/marketplaces/asking';
import { isRecord } from '#core/record';
import type { Observer } from '#relay/observe/observer';
import { holdsKey } from '#relay/calls/echoed-key';
import type { Failure, FailureKind } from '#relay/rules/index';
import type { Store, Stored } from '#relay/store/index';
import type { SendFault, Upstream } from '#relay/upstream/send';
import type { Vault } from '#relay/keys/vault';

type UnreachableCause = NonNullable<Failure['cause']>;

export interface CallParts {
  readonly store: Store;
  readonly vault: Vault;
  readonly upstream: Upstream;
  readonly clocks: Clocks;
  readonly observer: Observer;
}

export interface UpstreamRequest {
  readonly connection: Stored<'connection'>;
  readonly apiKey: string;
  readonly call: SellerCall<unknown>;
  readonly cacheKey: string;
  /** Bypasses the cache: the agent asked for a new answer. */
  readonly refresh: boolean;
  /** How many questions the agent may ask in a day, if that is limited. */
  readonly quota?: number | undefined;
  readonly subject: Stored<'auditSubject'>;
  readonly isGone: () => boolean;
}

/** The calls that wait for a slot. Agents share the pace, so that one with many calls does not take every slot. */
type Waiting = Set<Stored<'auditSubject'>>;

export interface FlightResult {
  /** `shared`: another call in progress asked the same. */
  readonly by: 'asked' | 'shared';
  readonly outcome: Result<SellerAnswer, Failure>;
}

/** A question in progress, for all calls that ask the same. */
interface Flight {
  readonly question: UpstreamRequest;
  /** False as soon as an interactive call joins. */
  bulk: boolean;
  /** One for each waiting call. */
  readonly isGone: UpstreamRequest['isGone'][];
}

interface Sent {
  readonly outcome: Result<SellerAnswer, Failure>;
  /** Resolves when the answer is in the cache; absent if it will not be cached. Never rejects. */
  readonly cached?: Promise<void>;
}

const slotDeadlineMs = 2_000;
/** How long a call waits for a slot before it answers 429, if no other instance asks the same; milliseconds. */
const maxWaitMs = 2_000;
/**
 * How long other instances leave a question to the call that has its lease and renews it, so a killed one delays them no longer;
 * milliseconds.
 */
const leaseMs = 4_000;
const leasePollMs = 50;
/** How long a call that misses its slots because this process stalls takes new ones before it answers 503; milliseconds. */
const missedSlotsMs = 12_000;
/** How long a call waits for another instance that asks the same before it answers 504; milliseconds. */
const leaseWaitMs = 12_000;
/** How long an upstream's 429 without `Retry-After` stops all calls; milliseconds. */
const defaultHoldMs = 60_000;

/**
 * Creates a function that asks an upstream once for all simultaneous calls that ask the same. It waits for a slot, commits the intent
 * before sending anything, and records the outcome.
 */
export function createAskUpstream(
  parts: CallParts,
): (question: UpstreamRequest, bulk: boolean) => Promise<FlightResult> {
  const flights = new Map<string, { readonly flight: Flight; readonly asked: Promise<Sent> }>();
  const waiting: Waiting = new Set();

  async function ask(question: UpstreamRequest, bulk: boolean): Promise<FlightResult> {
    // A refresh joins only other refreshes, since other calls may be answered from the cache.
    const key = `${question.cacheKey}${question.refresh ? ' fresh' : ''}`;
    const underWay = flights.get(key);
    if (underWay !== undefined) {
      underWay.flight.bulk &&= bulk;
      underWay.flight.isGone.push(question.isGone);
      const { outcome } = await underWay.asked;
      // The quota is that of the first agent who asked.
      if (outcome.ok || outcome.fault.kind !== 'quota') return { by: 'shared', outcome };
      if (flights.get(key) === underWay) flights.delete(key);
      return ask(question, bulk);
    }
    const flight = { question, bulk, isGone: [question.isGone] };
    const asked = askUpstream(parts, flight, waiting);
    const own = { flight, asked };
    flights.set(key, own);
    const end = (): void => {
      if (flights.get(key) === own) flights.delete(key);
    };
    // A caller that does not find the reply in the cache joins this flight. An uncached reply answers no later caller.
    void asked.then(({ cached }) => cached).then(end, end);
    return { by: 'asked', outcome: (await asked).outcome };
  }
  return ask;
}

async function askUpstream(parts: CallParts, flight: Flight, waiting: Waiting): Promise<Sent> {
  const { question } = flight;
  const { connection } = question;
  const lease = {
    // If no other instance's answer can be used, there is no waiting for one.
    key: takesCachedReply(question) ? question.cacheKey : question.subject.callId,
    holder: question.subject.callId,
    forMs: leaseMs,
  };
  const request = buildRequest(question);
  const retryUntil = performance.now() + Math.min(missedSlotsMs, request.timeoutMs);
  for (let isFirst = true; ; isFirst = false) {
    const slot = await waitForSlot(parts, flight, { lease, isFirst }, waiting);
    if (!slot.ok) return { outcome: slot };
    if ('answer' in slot.value) return { outcome: succeed(slot.value.answer) };
    let cause: UnreachableCause | undefined;
    const renewal = setInterval(() => {
      // A lease that cannot be renewed ends, and then another call may ask the same.
      parts.store.renewLease(lease).catch(() => undefined);
    }, leaseMs / 3);
    const sent = await parts.upstream
      .send(request, {
        ...connection,
        agent: question.subject.agent,
        slotLeftMs: slot.value.slotLeftMs,
        failed: (error) => (cause = causeOfError(error)),
      })
      .finally(() => {
        clearInterval(renewal);
      });
    if (!sent.ok && sent.fault === 'slot-missed' && performance.now() < retryUntil) {
      const { subject } = question;
      // Awaited, since it ends the lease, which the next slot takes again.
      await record(parts, { subject, lease, result: sent.fault, health: 'unknown' });
      continue;
    }
    const asked = finish(parts, question, { lease, slot: slot.value.slot }, sent);
    if (sent.ok || sent.fault !== 'upstream-unreachable' || cause === undefined) return asked;
    return { outcome: fail({ kind: sent.fault, cause }) };
  }
}

type Slot =
  | { readonly slot: number; readonly slotLeftMs: () => number }
  | { readonly answer: SellerAnswer };

const takesCachedReply = ({ subject, refresh }: UpstreamRequest): boolean =>
  cacheMs[subject.call] > 0 && !refresh;

async function waitForSlot(
  parts: CallParts,
  flight: Flight,
  { lease, isFirst }: { readonly lease: Stored<'lease'>; readonly isFirst: boolean },
  waiting: Waiting,
): Promise<Result<Slot, Failure>> {
  const { store, clocks } = parts;
  const { question } = flight;
  const { connection, subject, cacheKey } = question;
  const began = performance.now();
  /** When the call began to wait only for a slot. */
  let slotWaitBegan = began;
  for (;;) {
    // Nobody would receive the answer, and the slot would be missing for others.
    if (flight.isGone.every((one) => one())) return fail({ kind: 'pace' });
    // Measured from before the grant, so that the slot is never used too late.
    const slotLeftMs = timeLeft(slotDeadlineMs);
    const slot = await store.takeSlot({
      connection,
      subject,
      lease,
      bulk: flight.bulk,
      // A question counts once, however many slots it has missed.
      quota: isFirst ? question.quota : undefined,
      unlessCached: takesCachedReply(question),
      deadlineMs: slotDeadlineMs,
      waiting: [...waiting].flatMap((one) => (one.connection === connection.id ? [one.agent] : [])),
    });
    if (slot.granted) return succeed({ slot: slot.slot, slotLeftMs });
    if (slot.reason === 'leased') {
      const isOver = performance.now() + leasePollMs - began > leaseWaitMs;
      if (isOver || parts.upstream.gaveUp) {
        return fail({ kind: 'upstream-timeout' });
      }
      await delay(leasePollMs);
      const cached = await store.findCached(cacheKey);
      const answer = cached && openCached(parts, cached);
      if (answer !== undefined) return succeed({ answer });
      slotWaitBegan = performance.now();
    } else {
      const waitMs = slot.at - clocks.paceNow();
      const tooLong = performance.now() + waitMs - slotWaitBegan > maxWaitMs;
      if (tooLong || slot.reason !== 'pace') {
        return fail({ kind: refusals[slot.reason], retryAt: clocks.now() + waitMs });
      }
      waiting.add(subject);
      await delay(waitMs);
      waiting.delete(subject);
    }
  }
}

const refusals = {
  pace: 'pace',
  held: 'upstream-rate-limited',
  'upstream-paused': 'upstream-paused',
  quota: 'quota',
} as const satisfies Record<string, FailureKind>;

/** Only proof that the seller is down counts against it, so that nobody can pause it for all by choosing a certain code or item. */
const healthAfter: Readonly<Record<SendFault, Stored<'callReport'>['health']>> = {
  'upstream-unreachable': 'down',
  'upstream-timeout': 'down',
  'upstream-redirected': 'up',
  'upstream-too-large': 'up',
  'upstream-unreadable': 'up',
  'upstream-not-allowed': 'unknown',
  'slot-missed': 'unknown',
  pace: 'unknown',
  'given-up': 'unknown',
};

const aboutAGateway = new Set([502, 503, 504]);

function finish(
  parts: CallParts,
  question: UpstreamRequest,
  { lease, slot }: { readonly lease: Stored<'lease'>; readonly slot: number },
  sent: Result<RawReply, SendFault>,
): Sent {
  const { clocks } = parts;
  const now = clocks.now();
  const report = { subject: question.subject, lease };
  const { connection, subject } = question;
  if (!sent.ok) {
    const health = healthAfter[sent.fault];
    const kind = sent.fault === 'given-up' ? 'upstream-timeout' : sent.fault;
    void record(parts, { ...report, result: kind, health });
    parts.observer.upstream(connection.id, subject.call, kind);
    return { outcome: fail({ kind }) };
  }
  const replied = { ...report, slot };
  const raw = sent.value;
  const health = aboutAGateway.has(raw.status) ? 'down' : 'up';
  parts.observer.upstream(connection.id, subject.call, String(raw.status));
  if (raw.status === 429) {
    const waitMs = (raw.retryAt ?? now + defaultHoldMs) - now;
    const heldUntil = clocks.paceNow() + waitMs;
    void record(parts, { ...replied, result: '429', health, heldUntil });
    return { outcome: fail({ kind: 'upstream-rate-limited', retryAt: now + waitMs }) };
  }
  // The agent would receive the body and its type, so both are searched.
  if ([raw.body, Buffer.from(raw.contentType)].some((part) => holdsKey(part, question.apiKey))) {
    void record(parts, { ...replied, result: 'upstream-echoed-key', health });
    return { outcome: fail({ kind: 'upstream-echoed-key' }) };
  }
  const answer = { raw, checkedAt: now };
  // Parsing tens of MiB would block for seconds, only to decide whether to cache them.
  const verdict = raw.body.length <= maxKeptBytes ? verdictOf(question.call, raw, now) : undefined;
  const success = verdict === 'success';
  const cache = success ? sealCached(parts, question.cacheKey, subject.call, answer) : undefined;
  const result = verdict ?? String(raw.status);
  const recorded = record(parts, { ...replied, result, health, ...(cache && { cache }) });
  return { outcome: succeed(answer), ...(cache && { cached: recorded }) };
}

/** Builds the request. It holds the API key. */
function buildRequest({ connection, apiKey, call }: UpstreamRequest): SellerRequest {
  const { baseAddress, store, keyPlacement, encoding } = connection;
  const dialect = { keyPlacement, encoding };
  return call.build({ connection: omitUndefined({ baseAddress, store, dialect }), apiKey });
}

/**
 * Tells whether a reply is a success, which may be cached, or a not-found that its status does not show. Undefined for an error, an answer
 * about something else, or if the status shows it.
 */
function verdictOf(
  { read }: SellerCall<unknown>,
  raw: RawReply,
  now: number,
): 'success' | 'not-found' | undefined {
  const reply = read(raw, now);
  if (!reply.ok) return undefined;
  if (!isRecord(reply.value)) return 'success';
  const { kind, items, unreadable } = reply.value;
  if (kind === 'not-found') return raw.status === 404 ? undefined : kind;
  if (!Array.isArray(items)) return 'success';
  const whole = items.length > 0 && Array.isArray(unreadable) && unreadable.length === 0;
  return whole ? 'success' : undefined;
}

/** Records without waiting, since later replies are committed in the same group, after this. */
function record(parts: CallParts, report: Stored<'callReport'>): Promise<void> {
  return parts.store.reportCall(report).catch((error: unknown) => {
    parts.observer.storeFault('reportCall', error);
  });
}

/** A seller's answer of any kind, and when it was given. */
export interface SellerAnswer {
  readonly raw: RawReply;
  /** Epoch milliseconds. */
  readonly checkedAt: number;
}

/** The size limit of a reply that is parsed and cached, in bytes. A larger one would make a statement too slow for its group. */
const maxKeptBytes = 1024 * 1024;

/** How long a success is answered from the cache, in milliseconds; 0 for the account, which proves that the key works now. */
export const cacheMs: Readonly<Record<CallKind, number>> = {
  account: 0,
  items: 3_600_000,
  item: 3_600_000,
  validation: 300_000,
  // So a refund is seen as soon as with the code itself.
  'follow-up': 300_000,
};

/** Returns the end of a reply's cache key, an HMAC of the question. The connection and an id of its API key precede it. */
export function cacheKeyEndOf(
  { vault }: Pick<CallParts, 'vault'>,
  asked: { readonly connection: string; readonly path: string; readonly values: readonly string[] },
): string {
  return vault.hmac('cache-hmac', JSON.stringify([asked.connection, asked.path, ...asked.values]));
}

function sealCached(
  { vault }: Pick<CallParts, 'vault'>,
  cacheKey: string,
  asked: CallKind,
  { raw: { status, contentType, body }, checkedAt }: SellerAnswer,
): Stored<'reply'> | undefined {
  if (cacheMs[asked] === 0) return undefined;
  return {
    key: cacheKey,
    storedAt: checkedAt,
    expiresAt: checkedAt + cacheMs[asked],
    sealed: vault.sealReply(cacheKey, { status, contentType, body }),
  };
}

export function openCached(
  { vault }: Pick<CallParts, 'vault'>,
  cached: Stored<'reply'>,
): SellerAnswer | undefined {
  const raw = vault.openReply(cached.key, cached.sealed);
  return raw && { raw, checkedAt: cached.storedAt };
}

export function causeOfError(error: unknown): UnreachableCause {
  // If several addresses failed, the last failure counts.
  const last: unknown = error instanceof AggregateError ? error.errors.at(-1) : error;
  const { code = '' } = (last ?? {}) as NodeJS.ErrnoException;
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) return { what: 'name', code };
  if (code === 'ECONNREFUSED') return { what: 'refused', code };
  if (code === 'ETIMEDOUT') return { what: 'timeout', code };
  return { what: /CERT|SIGNATURE/.test(code) ? 'certificate' : 'broken', code };
}
