import type { ReplyCache } from '#background/check/reply-cache';
import type { SellerAccessProvider } from '#background/seller/access';
import type { Validation } from '#background/seller/validation';
import type { CheckReport } from '#core/check/check-report';
import type { Connection } from '#core/connections/connection';
import { omitUndefined } from '#core/omit-undefined';
import { succeed } from '#core/result';
import type { CheckRequest } from '#messaging/topics/check';

interface CheckDependencies {
  readonly access: SellerAccessProvider;
  readonly replies: ReplyCache;
  readonly validation: Validation;
  readonly lockGeneration: () => number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Creates the check of one code at one connection. Concurrent calls for the same code share one request; a cached reply
 * is returned only while the connection may be used.
 */
export function createCheckCode(
  dependencies: CheckDependencies,
): (request: CheckRequest) => Promise<CheckReport> {
  const { access, replies, validation, lockGeneration, now } = dependencies;
  const inFlight = new Map<string, Promise<CheckReport>>();

  async function checkCode(
    connection: Connection | undefined,
    { code, connectionId, fresh }: CheckRequest,
  ): Promise<CheckReport> {
    const subject = { connectionId, code };
    const [authorized, cached] = await Promise.all([
      access.authorize(connection),
      connection && !fresh ? replies.find(connection, code) : undefined,
    ]);
    if (!authorized.ok) return { ...subject, checkedAt: now(), cached: false, outcome: authorized };
    if (cached) {
      const { checkedAt, answer, foundAs } = cached;
      return omitUndefined({
        ...subject,
        checkedAt,
        cached: true,
        outcome: succeed(answer),
        foundAs,
      });
    }
    const validated = await validation.validate({ ...authorized.value, fresh }, code);
    const { connection: after, outcome, foundAs, ageMs = 0 } = validated;
    const checkedAt = now() - ageMs;
    const report = omitUndefined({ ...subject, checkedAt, cached: false, outcome, foundAs });
    if (outcome.ok) {
      const reply = { answer: outcome.value, checkedAt, foundAs };
      // Nobody waits for it: a check that follows reads after this write, and a reply that is not there is asked for again.
      void replies.store(after, code, reply, authorized.value.isLocked).catch(() => undefined);
    }
    return report;
  }

  return async (request) => {
    const connection = await access.find(request.connectionId);
    const { connectionId, code } = request;
    // A check that was overtaken by a lock is joined by none that comes after it.
    const key = JSON.stringify([connectionId, connection?.revision, code, lockGeneration()]);
    for (let present = inFlight.get(key); present; present = inFlight.get(key)) {
      const report = await present;
      if (!report.cached || !request.fresh) return report;
    }
    const check = checkCode(connection, request).finally(() => inFlight.delete(key));
    inFlight.set(key, check);
    return check;
  };
}
