import { createCheckAgain } from '#background/check/check-again';
import { createCheckCode } from '#background/check/check-code';
import { type History, createHistory } from '#background/check/history';
import { createReplyCache } from '#background/check/reply-cache';
import type { WorkerContext } from '#background/dependencies';
import { type SellerFeature, watchLock } from '#background/seller/index';
import type { CheckReport, CheckRequest } from '#core/check/index';
import { searchIn } from '#core/marketplaces/index';
import { fail } from '#core/result';
import type { Handlers } from '#messaging/index';

interface CheckNeeds {
  readonly seller: SellerFeature;
  /** Called with every report that one of our pages gets. */
  readonly onReport: (report: CheckReport) => Promise<void>;
}

export interface CheckFeature {
  /** Checks a code and stores the answer in the history. */
  readonly run: (request: CheckRequest) => Promise<CheckReport>;
  /** Records in the history that an answer was given again. */
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
      const wasLocked = watchLock(secrets);
      const connection = await access.find(request.connectionId);
      const [report, known] = await Promise.all([
        checkCode(request, connection),
        history.lookUp(request.code, connection),
      ]);
      if (wasLocked()) return lockedReport(request, now());
      return history.record(report, known, request);
    });

  async function repeat(report: CheckReport, request: CheckRequest): Promise<void> {
    // The answer of a single connection is already stored.
    if ((request.question?.asked.length ?? 0) < 2) return;
    const wasLocked = watchLock(secrets);
    const connection = await access.find(request.connectionId);
    const known = await history.lookUp(request.code, connection);
    if (!wasLocked()) history.repeat(report, known, request);
  }

  return {
    run,
    repeat,
    history,
    handlers: {
      check: async (request) => {
        const report = await run(request);
        // A closed tab must not lose the agent's answer.
        const isOver = report.outcome.ok || searchIn(report.outcome.fault) === undefined;
        if (isOver) void onReport(report).catch(() => undefined);
        return report;
      },
      'history.again': createCheckAgain(context, access, run),
    },
    alarmHandlers: { 'prune-replies': () => replies.prune() },
    start: () => history.prune(),
  };
}

/** Makes the report of a check during which the keys were locked, whatever the answer was. */
function lockedReport({ connectionId, code }: CheckRequest, checkedAt: number): CheckReport {
  return { connectionId, code, checkedAt, cached: false, outcome: fail({ kind: 'locked' }) };
}
