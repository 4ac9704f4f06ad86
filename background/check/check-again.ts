import type { WorkerContext } from '#background/dependencies';
import type { SellerFeature } from '#background/seller/index';
import { type CheckReport, type CheckRequest, questionAbout } from '#core/check/index';
import { isMasked } from '#core/codes/index';
import type { HistoryEntry } from '#core/history/index';
import { fail, omitUndefined, type Result, succeed } from '#core/result';
import { bestFirst } from '#core/verdict/index';
import type { Handlers, Refusal } from '#messaging/index';

type AgainFault = Refusal<'history.again'>;

/** Creates the handler that checks the code of a history entry again, if the whole code is stored. */
export function createCheckAgain(
  { secrets, history, now }: Pick<WorkerContext, 'secrets' | 'history' | 'now'>,
  access: SellerFeature['access'],
  run: (request: CheckRequest) => Promise<CheckReport>,
): Handlers<'history'>['history.again'] {
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

  /** Lists the connections to check a code at again: the one that knew it, or all that were asked. */
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

  return async ({ id, ticket }) => {
    const entry = await history.entry(id);
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
  };
}
