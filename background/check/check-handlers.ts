import { createCheckCode } from '#background/check/check-code';
import { type History, createHistory } from '#background/check/history';
import { createReplyCache } from '#background/check/reply-cache';
import type { WorkerContext } from '#background/dependencies';
import { type SellerFeature, watchLock } from '#background/seller/index';
import { type CheckReport, type CheckRequest, questionAbout } from '#core/check/index';
import { bestFirst } from '#core/verdict/index';
import { isMasked } from '#core/codes/index';
import type { HistoryEntry } from '#core/history/index';
import { searchIn } from '#core/marketplaces/index';
import { fail, type Result, succeed, omitUndefined } from '#core/result';
import type { Body, Handlers, Refusal, Reply } from '#messaging/index';

type AgainFault = Refusal<'history.again'>;

interface CheckNeeds {
  readonly seller: SellerFeature;
  /** Called with every report that a page of ours gets. */
  readonly onReport: (report: CheckReport) => Promise<void>;
}

export interface CheckFeature {
  /** Checks a code and stores the answer in the history. */
  readonly run: (request: CheckRequest) => Promise<CheckReport>;
  /** Tells the history of an answer to a request that is given once more. */
  readonly repeat: (report: CheckReport, request: CheckRequest) => Promise<void>;
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

  async function repeat(report: CheckReport, request: CheckRequest): Promise<void> {
    // Alone, it is stored already.
    if ((request.question?.asked.length ?? 0) < 2) return;
    const isLocked = watchLock(secrets);
    const connection = await access.find(request.connectionId);
    const known = await history.lookUp(request.code, connection);
    if (!isLocked()) history.repeat(report, known, request);
  }

  async function checkAgain({
    id,
    ticket,
  }: Body<'history.again'>): Promise<Reply<'history.again'>> {
    const entry = await context.history.entry(id);
    if (entry === undefined) return fail({ kind: 'gone' });
    const code = await wholeCodeOf(entry);
    if (!code.ok) return code;
    const asked = await connectionIdsOf(entry);
    const question = questionAbout(
      crypto.randomUUID(),
      asked.map((connectionId) => ({ connectionId })),
    );
    const again = { code: code.value, fresh: true, question, ticket };
    const reports = await Promise.all(
      asked.map((connectionId) => run(omitUndefined({ ...again, connectionId }))),
    );
    const [best] = bestFirst(reports, now());
    return best === undefined ? fail({ kind: 'gone' }) : succeed(best);
  }

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
    repeat,
    history,
    handlers: {
      check: async (request) => {
        const report = await run(request);
        // A tab that is gone must not cost the agent the answer.
        const isOver = report.outcome.ok || searchIn(report.outcome.fault) === undefined;
        if (isOver) void onReport(report).catch(() => undefined);
        return report;
      },
      'history.again': checkAgain,
    },
    alarmHandlers: { 'prune-replies': () => replies.prune() },
    start: () => history.prune(),
  };
}

/** Reports a check that a lock overtook, whatever the answer was. */
function lockedReport({ connectionId, code }: CheckRequest, checkedAt: number): CheckReport {
  return { connectionId, code, checkedAt, cached: false, outcome: fail({ kind: 'locked' }) };
}
