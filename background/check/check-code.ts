import type { CheckReport } from '#core/check/check-report';
import type { Connection } from '#core/connections/connection';
import type { Body } from '#messaging/protocol';
import type { SellerAccessProvider } from '#background/seller/access';
import type { ReplyCache } from '#background/check/reply-cache';
import type { Validation } from '#background/seller/validation';

type Check = Body<'check'>;

interface Parts {
  readonly sellerAccess: SellerAccessProvider;
  readonly replies: ReplyCache;
  readonly validation: Validation;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * One code at one connection, from start to finish. Two who ask for the same at the same time share one request; a
 * kept reply is given only to those who could have asked themselves.
 */
export function createCheckCode(parts: Parts): (check: Check) => Promise<CheckReport> {
  const { sellerAccess, replies, validation, now } = parts;
  const inFlight = new Map<string, Promise<CheckReport>>();

  async function runCheck(connection: Connection | undefined, check: Check): Promise<CheckReport> {
    const { code, connectionId, fresh } = check;
    const report = { connectionId, code };
    const [access, cached] = await Promise.all([
      sellerAccess.gain(connection),
      connection && !fresh ? replies.find(connection, code) : undefined,
    ]);
    if (!access.ok) return { ...report, checkedAt: now(), cached: false, outcome: access };
    if (cached)
      return {
        ...report,
        checkedAt: cached.checkedAt,
        cached: true,
        outcome: { ok: true, value: cached.answer },
      };
    const { connection: after, outcome } = await validation.validate(access.value, code);
    const checkedAt = now();
    if (outcome.ok) await replies.keep(after, code, outcome.value, checkedAt);
    return { ...report, checkedAt, cached: false, outcome };
  }

  return async (check) => {
    const connection = await sellerAccess.find(check.connectionId);
    const name = JSON.stringify([check.connectionId, connection?.revision, check.code]);
    for (let present = inFlight.get(name); present; present = inFlight.get(name)) {
      const report = await present;
      if (!report.cached || !check.fresh) return report;
    }
    const flight = runCheck(connection, check).finally(() => inFlight.delete(name));
    inFlight.set(name, flight);
    return flight;
  };
}
