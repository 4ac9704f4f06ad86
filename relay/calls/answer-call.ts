import { randomUUID } from 'node:crypto';

import { fail, type Result, succeed } from '#core/result';
import { cacheKeyEndOf, openCached } from '#relay/calls/cached-replies';
import { createFlights } from '#relay/calls/flights';
import type { CallParts } from '#relay/calls/parts';
import type { SellerAnswer } from '#relay/calls/question';
import { endingOf } from '#relay/rules/code-ending';
import { isConnectionId } from '#relay/rules/connection-id';
import type { Failure } from '#relay/rules/failure';
import { redactAccount } from '#relay/rules/redaction';
import { cacheMs, type SellerCall } from '#relay/rules/seller-call';
import { extendedExpiry, parseToken, sameHash, type TokenParts } from '#relay/rules/token';
import { cacheKeyOf } from '#relay/store/cache-key';
import type { AuditSubject, KnownToken } from '#relay/store/records';
import type { CallFindings } from '#relay/store/store';

/** Describes a call as an agent's program made it. */
export interface AgentCall {
  /** As it stands in the path, which may be any text. */
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

/** Holds a call whose token holds, with what it is answered by. */
export interface AdmittedCall extends Omit<CallFindings, 'token'> {
  /** With `''` in place of a connection that is no id. */
  readonly call: AgentCall;
  readonly token: KnownToken;
  readonly cacheKeyEnd: string;
}

/** Answers calls of agents. Rejects when the store cannot be used. */
export interface Calls {
  /** Finds the token of an `Authorization` header; asked at every call, nothing is remembered. */
  authorize(header: string | undefined): Promise<Result<KnownToken, Failure>>;
  /** Does the same for a seller call, and finds what it is answered by on the same round trip. */
  admit(header: string | undefined, call: AgentCall): Promise<Result<AdmittedCall, Failure>>;
  /** Gets the answer from the cache or the upstream, and leaves out what the agent's role may not see. */
  prepare(admitted: AdmittedCall): Promise<Prepared>;
}

export function createCalls(parts: CallParts): Calls {
  const { store, vault, clocks } = parts;
  const flights = createFlights(parts);

  async function answer(
    admitted: AdmittedCall,
    subject: AuditSubject,
  ): Promise<Omit<Prepared, 'subject'>> {
    const refuse = (kind: Failure['kind']): Omit<Prepared, 'subject'> => ({
      result: kind,
      outcome: fail({ kind }),
    });
    const { connection, key, cached, cacheKeyEnd } = admitted;
    const { call, parameter, bulk, refresh } = admitted.call;
    if (connection === undefined) return refuse('no-such-connection');
    const apiKey = key && vault.openKey(key, connection.baseAddress);
    if (key === undefined || apiKey === undefined) return refuse('no-key');

    const fromCache = refresh || cached === undefined ? undefined : openCached(parts, cached);
    if (fromCache !== undefined) return { result: 'cached', outcome: succeed(fromCache) };
    const cacheKey = cacheKeyOf(key, cacheKeyEnd);
    const question = { connection, apiKey, call, parameter, cacheKey, refresh, subject };
    const { by, outcome } = await flights.ask(question, bulk);
    return { result: outcome.ok ? by : outcome.fault.kind, outcome };
  }

  /** Judges a token by what is stored of it, and lets it live on for being used. */
  async function judge(
    given: TokenParts,
    token: KnownToken | undefined,
  ): Promise<Result<KnownToken, Failure>> {
    if (token === undefined || !sameHash(given.hash, token.hash)) {
      return fail({ kind: 'token-unknown' });
    }
    const now = clocks.now();
    if (token.revokedAt !== 0) return fail({ kind: 'token-revoked' });
    if (token.expiresAt <= now) return fail({ kind: 'token-expired' });
    const extended = extendedExpiry(token, now);
    if (extended !== undefined) await store.extendToken(token.id, extended);
    return succeed(token);
  }

  return {
    authorize: async (header) => {
      const given = tokenOf(header);
      return given.ok ? judge(given.value, await store.findToken(given.value.id)) : given;
    },

    admit: async (header, asked) => {
      const given = tokenOf(header);
      if (!given.ok) return given;
      // A text that is no id may be one that the database refuses, and with it all calls that are looked up together.
      const call = isConnectionId(asked.connection) ? asked : { ...asked, connection: '' };
      const cacheKeyEnd = cacheKeyEndOf(parts, call, call.parameter);
      const found = await store.findCall({
        token: given.value.id,
        connection: call.connection,
        cacheKeyEnd: cacheMs[call.call] > 0 && !call.refresh ? cacheKeyEnd : '',
      });
      const token = await judge(given.value, found.token);
      return token.ok ? succeed({ ...found, token: token.value, call, cacheKeyEnd }) : token;
    },

    prepare: async (admitted) => {
      const { token, call } = admitted;
      const subject = {
        callId: randomUUID(),
        agent: token.agent,
        token: token.id,
        connection: call.connection,
        call: call.call,
        codeHmac: call.parameter === '' ? '' : vault.hmac('audit-hmac', call.parameter),
        codeLast4: endingOf(call.parameter),
      };
      const { result, outcome } = await answer(admitted, subject);
      if (call.call !== 'account' || !outcome.ok) return { subject, result, outcome };
      const { raw, checkedAt } = outcome.value;
      const body = redactAccount(raw.body, token.role.sees);
      return { subject, result, outcome: succeed({ raw: { ...raw, body }, checkedAt }) };
    },
  };
}

function tokenOf(header: string | undefined): Result<TokenParts, Failure> {
  if (header === undefined) return fail({ kind: 'token-missing' });
  const given = parseToken(/^Bearer +(\S+)$/i.exec(header)?.[1] ?? '');
  return given === undefined ? fail({ kind: 'token-unknown' }) : succeed(given);
}
