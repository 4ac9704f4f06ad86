import type { CheckReport } from '#core/check/check-report';
import type { Connection } from '#core/connections/connection';
import type { Body } from '#messaging/protocol';
import type { Accesses } from '#background/seller/access';
import type { Replies } from '#background/check/reply-cache';
import type { Validation } from '#background/seller/validation';

type Check = Body<'check'>;

interface Parts {
  readonly accesses: Accesses;
  readonly replies: Replies;
  readonly validation: Validation;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * One code at one connection, from start to finish. Two who ask for the same at the same time share one request; a
 * kept reply is given only to those who could have asked themselves.
 */
export function createChecks(parts: Parts): (check: Check) => Promise<CheckReport> {
  const { accesses, replies, validation, now } = parts;
  const flights = new Map<string, Promise<CheckReport>>();

  async function fly(connection: Connection | undefined, check: Check): Promise<CheckReport> {
    const { code, connectionId, fresh } = check;
    const report = { connectionId, code };
    const [access, kept] = await Promise.all([
      accesses.gain(connection),
      connection && !fresh ? replies.find(connection, code) : undefined,
    ]);
    if (!access.ok) return { ...report, checkedAt: now(), kept: false, outcome: access };
    if (kept)
      return {
        ...report,
        checkedAt: kept.checkedAt,
        kept: true,
        outcome: { ok: true, value: kept.answer },
      };
    const { connection: after, outcome } = await validation.validate(access.value, code);
    const checkedAt = now();
    if (outcome.ok) await replies.keep(after, code, outcome.value, checkedAt);
    return { ...report, checkedAt, kept: false, outcome };
  }

  return async (check) => {
    const connection = await accesses.find(check.connectionId);
    const name = JSON.stringify([check.connectionId, connection?.revision, check.code]);
    for (let present = flights.get(name); present; present = flights.get(name)) {
      const report = await present;
      if (!report.kept || !check.fresh) return report;
    }
    const flight = fly(connection, check).finally(() => flights.delete(name));
    flights.set(name, flight);
    return flight;
  };
}
