import type { ReplyCache } from '#background/check/reply-cache';
import type { SellerAccessProvider, Validation } from '#background/seller/index';
import type { CheckReport, CheckRequest } from '#core/check/index';
import type { Connection } from '#core/connections/index';
import type { Readers } from '#core/marketplaces/asking';
import { omitUndefined, succeed } from '#core/result';
import { delay } from '#core/time/index';

/** The time after which a search among items reports its progress, in milliseconds. */
const stepMs = 1500;
/** How long a request is shared, in milliseconds: an older one may hang, and its popup may have been closed. */
const sharedMs = 2500;

interface CheckDependencies {
  readonly access: Pick<SellerAccessProvider, 'authorize'>;
  readonly replies: ReplyCache;
  readonly validation: Validation;
  readonly lockGeneration: () => number;
  readonly codeReaderOf: Readers['codeReaderOf'];
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Creates the check of one code at one connection. Calls for the same code share a request that was just sent, except
 * those that are to be fresh. A cached reply is returned only if the connection may be used.
 */
export function createCheckCode(
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
      // The answer does not wait for this write. A later check reads after it, and asks again if the reply is missing.
      void replies.store(after, code, reply, authorized.value.wasLocked).catch(() => undefined);
    }
    return report;
  }

  return async (request, connection) => {
    // An earlier request may hang, and the agent stopped waiting for it.
    if (request.fresh) return checkCode(connection, request);
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
    const present = inFlight.get(key);
    if (present) return present;
    const check = checkCode(connection, request);
    inFlight.set(key, check);
    const forget = (): boolean => inFlight.delete(key);
    void Promise.race([check, delay(sharedMs)]).then(forget, forget);
    return check;
  };
}
