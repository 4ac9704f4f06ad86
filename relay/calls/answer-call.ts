import { randomUUID } from 'node:crypto';

import { fail, succeed } from '#core/result';
import type { Result } from '#core/result';
import { cacheKeyOf, findCachedReply } from '#relay/calls/cached-replies';
import { createFlights } from '#relay/calls/flights';
import type { CallParts } from '#relay/calls/parts';
import type { SellerAnswer } from '#relay/calls/question';
import type { Failure } from '#relay/rules/failure';
import { redactAccount } from '#relay/rules/redaction';
import { cacheMs } from '#relay/rules/seller-call';
import type { SellerCall } from '#relay/rules/seller-call';
import { extendedExpiry, parseToken, sameHash } from '#relay/rules/token';
import type { AuditSubject, KnownToken } from '#relay/store/records';

/** Describes a call as an agent's program made it. */
export interface AgentCall {
  readonly connection: string;
  readonly call: SellerCall;
  readonly parameter: string;
  readonly bulk: boolean;
  readonly refresh: boolean;
}

/** Holds what a call is answered with, to be released while the token holds. */
export interface Prepared {
  readonly subject: AuditSubject;
  /** For the audit: `asked`, `shared`, `cached`, or the failure's kind. */
  readonly result: string;
  readonly outcome: Result<SellerAnswer, Failure>;
}

/** Answers calls of agents. Rejects when the store cannot be used. */
export interface Calls {
  /** Finds the token of an `Authorization` header; asked at every call, nothing is remembered. */
  authorize(header: string | undefined): Promise<Result<KnownToken, Failure>>;
  /** Gets the answer from the cache or the upstream, and leaves out what the agent's role may not see. */
  prepare(token: KnownToken, call: AgentCall): Promise<Prepared>;
}

export function createCalls(parts: CallParts): Calls {
  const { store, vault, clocks } = parts;
  const flights = createFlights(parts);

  async function answer(
    { connection: id, call, parameter, bulk, refresh }: AgentCall,
    subject: AuditSubject,
  ): Promise<Omit<Prepared, 'subject'>> {
    const refuse = (kind: Failure['kind']): Omit<Prepared, 'subject'> => ({
      result: kind,
      outcome: fail({ kind }),
    });
    const connection = await store.findConnection(id);
    if (connection === undefined) return refuse('no-such-connection');
    const key = await store.findKey(id);
    const apiKey = key && vault.openKey(key, connection.baseAddress);
    if (key === undefined || apiKey === undefined) return refuse('no-key');

    const at = { connection: id, keyVersion: key.version, call };
    const cacheKey = cacheKeyOf(parts, at, parameter);
    if (cacheMs[call] > 0 && !refresh) {
      const cached = await findCachedReply(parts, cacheKey);
      if (cached !== undefined) return { result: 'cached', outcome: succeed(cached) };
    }
    const question = { connection, apiKey, call, parameter, cacheKey, refresh, subject };
    const { by, outcome } = await flights.ask(question, bulk);
    return { result: outcome.ok ? by : outcome.fault.kind, outcome };
  }

  return {
    authorize: async (header) => {
      if (header === undefined) return fail({ kind: 'token-missing' });
      const given = parseToken(/^Bearer +(\S+)$/i.exec(header)?.[1] ?? '');
      if (given === undefined) return fail({ kind: 'token-unknown' });
      const token = await store.findToken(given.id);
      if (token === undefined || !sameHash(given.hash, token.hash)) {
        return fail({ kind: 'token-unknown' });
      }
      const now = clocks.now();
      if (token.revokedAt !== 0) return fail({ kind: 'token-revoked' });
      if (token.expiresAt <= now) return fail({ kind: 'token-expired' });
      const extended = extendedExpiry(token, now);
      if (extended !== undefined) await store.extendToken(token.id, extended);
      return succeed(token);
    },

    prepare: async (token, call) => {
      const subject = {
        callId: randomUUID(),
        agent: token.agent,
        token: token.id,
        connection: call.connection,
        call: call.call,
        codeHmac: call.parameter === '' ? '' : vault.hmac('audit-hmac', call.parameter),
        // Four of a short text would be most of it.
        codeLast4: call.parameter.length < 12 ? '' : call.parameter.slice(-4),
      };
      const { result, outcome } = await answer(call, subject);
      if (call.call !== 'account' || !outcome.ok) return { subject, result, outcome };
      const { raw, checkedAt } = outcome.value;
      const body = redactAccount(raw.body, token.role.sees);
      return { subject, result, outcome: succeed({ raw: { ...raw, body }, checkedAt }) };
    },
  };
}
