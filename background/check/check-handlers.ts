import { type History, createHistory } from '#background/check/history';
import type { WorkerContext } from '#background/dependencies';
import { type SellerFeature, watchLock } from '#background/seller/index';
import { bestFirst, type CheckAnswer, type CheckReport } from '#core/check/index';
import { isMasked } from '#core/codes/index';
import type { HistoryEntry } from '#core/history/index';
import { searchIn } from '#core/marketplaces/index';
import type { Readers } from '#core/marketplaces/asking';
import { fail, type Result, succeed, omitUndefined } from '#core/result';
import type { Handlers, Refusal } from '#messaging/index';
import type { Connection } from '#core/connections/index';
import type { SessionCache, SessionRecords } from '#adapters/storage/worker/index';
import { wasTurnedBack } from '#core/time/units';
import type { CheckRequest } from '#core/check-request';

type AgainFault = Refusal<'history.again'>;

/** After this time a step of a search among items is over, in milliseconds. */
const stepMs = 1500;

interface CheckDependencies {
  readonly access: Pick<SellerFeature['access'], 'authorize'>;
  readonly replies: ReplyCache;
  readonly validation: SellerFeature['validation'];
  readonly lockGeneration: () => number;
  readonly codeReaderOf: Readers['codeReaderOf'];
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Creates the check of one code at one connection. Concurrent calls for the same code share one request; a cached reply
 * is returned only while the connection may be used.
 */
function createCheckCode(
  dependencies: CheckDependencies,
): (request: CheckRequest, connection: Connection | undefined) => Promise<CheckReport> {
  const { access, replies, validation, lockGeneration, codeReaderOf, now } = dependencies;
  const inFlight = new Map<string, Promise<CheckReport>>();

  async function checkCode(
    connection: Connection | undefined,
    { code, connectionId, fresh, expectedItemId, withProgress }: CheckRequest,
  ): Promise<CheckReport> {
    const subject = { connectionId, code };
    const [authorized, cached] = await Promise.all([
      access.authorize(connection),
      connection && !fresh ? replies.find(connection, code) : undefined,
    ]);
    if (!authorized.ok) return { ...subject, checkedAt: now(), cached: false, outcome: authorized };
    if (cached) {
      const { checkedAt, answer, foundSpelling } = cached;
      return omitUndefined({
        ...subject,
        checkedAt,
        cached: true,
        outcome: succeed(answer),
        foundSpelling,
      });
    }
    const reportAfter = withProgress === true ? now() + stepMs : undefined;
    const wanted = omitUndefined({ ...authorized.value, fresh, expectedItemId, reportAfter });
    const validated = await validation.validate(wanted, code);
    const { connection: after, outcome, foundSpelling, ageMs = 0 } = validated;
    const checkedAt = now() - ageMs;
    const report = omitUndefined({ ...subject, checkedAt, cached: false, outcome, foundSpelling });
    if (outcome.ok) {
      const reply = { answer: outcome.value, checkedAt, foundSpelling };
      // The answer does not wait for this write: a check that follows reads after it, and asks again where there is no reply.
      void replies.store(after, code, reply, authorized.value.isLocked).catch(() => undefined);
    }
    return report;
  }

  return async (request, connection) => {
    const { connectionId, code } = request;
    // A caller that needs a final answer must not share a check that reports progress.
    const withProgress =
      request.withProgress === true &&
      connection !== undefined &&
      codeReaderOf(connection).itemsToAsk !== undefined;
    // A check that began before a lock must not be shared by one that begins after it.
    const key = JSON.stringify([
      connectionId,
      connection?.revision,
      code,
      lockGeneration(),
      withProgress,
    ]);
    for (let present = inFlight.get(key); present; present = inFlight.get(key)) {
      const report = await present;
      if (!report.cached || !request.fresh) return report;
    }
    const check = checkCode(connection, request).finally(() => inFlight.delete(key));
    inFlight.set(key, check);
    return check;
  };
}

interface CheckNeeds {
  readonly seller: SellerFeature;
  /** Called with every report that a page of ours gets. */
  readonly onReport: (report: CheckReport) => Promise<void>;
}

export interface CheckFeature {
  /** Checks a code and stores the answer in the history. */
  readonly run: (request: CheckRequest) => Promise<CheckReport>;
  readonly history: History;
  readonly handlers: Handlers<'check' | 'history'>;
  readonly alarmHandlers: { readonly 'prune-replies': () => Promise<void> };
  readonly start: () => Promise<void>;
}

export function createCheckFeature(
  context: WorkerContext,
  { seller, onReport }: CheckNeeds,
): CheckFeature {
  const { secrets, sessionCache, now } = context;
  const { access, validation, priority } = seller;
  const replies = createReplyCache(sessionCache, now, (moment) =>
    context.ensureAlarm('prune-replies', moment),
  );
  const checkCode = createCheckCode({
    access,
    replies,
    validation,
    codeReaderOf: context.readers.codeReaderOf,
    now,
    lockGeneration: () => secrets.lockGeneration(),
  });
  const history = createHistory({
    store: context.history,
    secrets,
    session: context.sessionArea,
    sessionCache,
    now,
  });

  const run = (request: CheckRequest): Promise<CheckReport> =>
    priority.run(async () => {
      const isLocked = watchLock(secrets);
      const connection = await access.find(request.connectionId);
      const [report, known] = await Promise.all([
        checkCode(request, connection),
        history.lookUp(request.code, connection),
      ]);
      if (isLocked()) return lockedReport(request, now());
      return history.record(report, known, request);
    });

  async function wholeCodeOf({
    code,
    codeId,
    sealed,
  }: HistoryEntry): Promise<Result<string, AgainFault>> {
    if (!isMasked(code)) return succeed(code);
    if (sealed === undefined) return fail({ kind: 'masked' });
    const opened = await secrets.openCode(codeId, sealed);
    if (opened.ok) return opened;
    return opened.fault.kind === 'locked' ? fail({ kind: 'locked' }) : fail({ kind: 'masked' });
  }

  /** Lists where a code is asked again: at the connection that knew it, or at all that were asked. */
  async function connectionIdsOf({
    answer,
    asked = [],
    connectionId,
  }: HistoryEntry): Promise<string[]> {
    if (answer.kind === 'purchase') return [connectionId];
    const present = await Promise.all(asked.map((id) => access.find(id)));
    const ids = present.flatMap((connection) => connection?.id ?? []);
    return ids.length === 0 ? [connectionId] : ids;
  }

  return {
    run,
    history,
    handlers: {
      check: async (request) => {
        const report = await run(request);
        // A tab that is gone must not cost the agent the answer.
        const isOver = report.outcome.ok || searchIn(report.outcome.fault) === undefined;
        if (isOver) void onReport(report).catch(() => undefined);
        return report;
      },
      'history.again': async ({ id, ticket }) => {
        const entry = await context.history.entry(id);
        if (entry === undefined) return fail({ kind: 'gone' });
        const code = await wholeCodeOf(entry);
        if (!code.ok) return code;
        const asked = await connectionIdsOf(entry);
        const question = asked.length > 1 ? { id: crypto.randomUUID(), asked } : undefined;
        const again = { code: code.value, fresh: true, question, ticket };
        const reports = await Promise.all(
          asked.map((connectionId) => run(omitUndefined({ ...again, connectionId }))),
        );
        const [best] = bestFirst(reports, context.now());
        return best === undefined ? fail({ kind: 'gone' }) : succeed(best);
      },
    },
    alarmHandlers: { 'prune-replies': () => replies.prune() },
    start: () => history.prune(),
  };
}

/** Reports a check that a lock overtook, whatever the answer was. */
function lockedReport({ connectionId, code }: CheckRequest, checkedAt: number): CheckReport {
  return { connectionId, code, checkedAt, cached: false, outcome: fail({ kind: 'locked' }) };
}

const purchaseMs = 5 * 60_000;
const notFoundMs = 30_000;

interface NewReply {
  readonly answer: CheckAnswer;
  readonly checkedAt: number;
  readonly foundSpelling?: string | undefined;
}

/** Caches answers, under the exact spelling that was checked. Faults are never cached. */
export interface ReplyCache {
  find(connection: Connection, code: string): Promise<SessionRecords['reply'] | undefined>;
  /** @param isLocked tells whether the keys were locked since the check began: nothing is stored then */
  store(
    connection: Connection,
    code: string,
    reply: NewReply,
    isLocked: () => boolean,
  ): Promise<void>;
  /** Removes expired replies, interrupted searches and open questions. */
  prune(): Promise<void>;
}

/**
 * Creates the cache of answers.
 * @param ensureAlarm asks for `prune` to be called no later than at a moment, epoch milliseconds
 */
export function createReplyCache(
  sessionCache: SessionCache,
  now: () => number,
  ensureAlarm: (moment: number) => Promise<void>,
): ReplyCache {
  /** A reply from before the clock was turned back counts as expired, too. */
  const isExpired = ({ checkedAt, until }: SessionRecords['reply']): boolean =>
    now() >= until || wasTurnedBack(checkedAt, now());
  return {
    async find(connection, code) {
      const reply = await sessionCache.read('reply', { ...connection, code });
      return reply === undefined || isExpired(reply) ? undefined : reply;
    },

    async store(connection, code, { answer, checkedAt, foundSpelling }, isLocked) {
      // A wrong key may have caused this not-found.
      if (answer.kind === 'not-found' && answer.key !== 'good') return;
      const until = checkedAt + (answer.kind === 'purchase' ? purchaseMs : notFoundMs);
      const owner = { ...connection, code };
      const reply = omitUndefined({ answer, checkedAt, until, foundSpelling });
      if (!(await sessionCache.write('reply', owner, reply, isLocked))) {
        await sessionCache.prune('reply', () => true);
        await sessionCache.write('reply', owner, reply, isLocked);
      }
      await ensureAlarm(until);
    },

    async prune() {
      let next = Infinity;
      await sessionCache.prune('reply', (reply) => {
        if (!isExpired(reply)) next = Math.min(next, reply.until);
        return isExpired(reply);
      });
      const isOver = ({ until }: { readonly until: number }): boolean => {
        if (now() < until) next = Math.min(next, until);
        return now() >= until;
      };
      await sessionCache.prune('search', isOver);
      await sessionCache.prune('question', isOver);
      if (next < Infinity) await ensureAlarm(next);
    },
  };
}
