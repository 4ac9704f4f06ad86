import { createCheckCode } from '#background/check/check-code';
import { type History, createHistory } from '#background/check/history';
import { createReplyCache } from '#background/check/reply-cache';
import type { WorkerContext } from '#background/dependencies';
import { watchLock } from '#background/seller/access';
import type { SellerFeature } from '#background/seller/feature';
import type { CheckReport } from '#core/check/check-report';
import { isMasked } from '#core/check/code-spelling';
import type { HistoryEntry } from '#core/history/entry';
import { fail, type Result, succeed } from '#core/result';
import type { AgainFault, CheckReplies, CheckRequest } from '#messaging/topics/check';
import type { HandlersOf } from '#messaging/serve';

interface CheckNeeds {
  readonly seller: SellerFeature;
  /** Called with every report that a page of ours gets. */
  readonly onReport: (report: CheckReport) => Promise<void>;
}

export interface CheckFeature {
  /** Checks a code and stores the answer in the history. */
  readonly run: (request: CheckRequest) => Promise<CheckReport>;
  readonly history: History;
  readonly handlers: HandlersOf<CheckReplies>;
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
    now,
    lockGeneration: () => secrets.lockGeneration(),
  });
  const history = createHistory({
    store: context.history,
    secrets,
    access,
    session: context.sessionArea,
    now,
  });

  const run = (request: CheckRequest): Promise<CheckReport> =>
    priority.run(async () => {
      const isLocked = watchLock(secrets);
      const [report, known] = await Promise.all([
        checkCode(request),
        history.lookUp(request.code, request.connectionId),
      ]);
      if (isLocked()) return lockedReport(request, now());
      return history.record(report, known, request.ticket);
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

  return {
    run,
    history,
    handlers: {
      check: async (request) => {
        const report = await run(request);
        // A tab that is gone must not cost the agent the answer.
        void onReport(report).catch(() => undefined);
        return report;
      },
      'history.again': async ({ id, ticket }) => {
        const entry = await context.history.entry(id);
        if (entry === undefined) return fail({ kind: 'masked' });
        const { connectionId } = entry;
        const code = await wholeCodeOf(entry);
        if (!code.ok) return code;
        const request = { code: code.value, connectionId, fresh: true };
        return succeed(await run(ticket === undefined ? request : { ...request, ticket }));
      },
    },
    alarmHandlers: { 'prune-replies': () => replies.prune() },
    start: () => history.prune(),
  };
}

/** Reports a check that the lock came before, whatever was answered. */
function lockedReport({ connectionId, code }: CheckRequest, checkedAt: number): CheckReport {
  return { connectionId, code, checkedAt, cached: false, outcome: fail({ kind: 'locked' }) };
}
