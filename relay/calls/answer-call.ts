import { randomUUID } from 'node:crypto';
import { fail, type Result, succeed } from '#core/result';
import type { routesAt } from '#core/marketplaces/asking';
import {
  type CallParts,
  createAskUpstream,
  cacheKeyEndOf,
  cacheMs,
  openCached,
  type SellerAnswer,
} from '#relay/calls/ask-upstream';
import type { Stored } from '#relay/store/index';
import { extendedExpiry, type Failure, parseAuthorization, sameHash } from '#relay/rules/index';
import { keepFields, redactAccount } from '#relay/calls/redaction';

type KnownToken = Stored<'knownToken'>;
type TokenParts = NonNullable<ReturnType<typeof parseAuthorization>>;

interface RouteRequest {
  readonly found: ReturnType<typeof routesAt>[number];
  /** The route's parameters, the one in the path first. */
  readonly values: readonly string[];
}

export interface AgentCall {
  /** The id in the path, which may be any text. */
  readonly connection: string;
  /** The requests that this call may make, at least one; the connection's marketplace decides which. */
  readonly requests: readonly RouteRequest[];
  readonly bulk: boolean;
  readonly refresh: boolean;
  readonly isGone: () => boolean;
}

/** The answer to a call, to be released only while the token is valid. */
export interface Prepared {
  readonly subject: Stored<'auditSubject'>;
  /** For the audit: `asked`, `shared`, `cached`, or the failure's kind. */
  readonly result: string;
  readonly outcome: Result<SellerAnswer, Failure>;
  /** For the log, even if the role may not see it. */
  readonly cause?: NonNullable<Failure['cause']> | undefined;
}

interface AdmittedCall extends Omit<Stored<'callFindings'>, 'token'> {
  /** An invalid connection id is recorded as `''`. */
  readonly call: Omit<AgentCall, 'requests'> & RouteRequest;
  readonly token: KnownToken;
}

/** Answers calls of agents. Rejects when the store cannot be used. */
export interface Calls {
  /** The tokens that were valid when last read. This never decides about a call, since each call reads its token. */
  readonly holding: ReadonlySet<string>;
  /** Finds the token from an `Authorization` header. */
  authorize(header: string | undefined): Promise<Result<KnownToken, Failure>>;
  /**
   * Answers a seller call from the cache or the upstream, without what the agent's role may not see. The token is read in the same round
   * trip as the other data for the call. Fails if it is not valid.
   */
  answer(header: string | undefined, call: AgentCall): Promise<Result<Prepared, Failure>>;
}

export function createCalls(parts: CallParts): Calls {
  const { store, vault, clocks } = parts;
  const ask = createAskUpstream(parts);
  const holding = new Set<string>();

  async function outcomeOf(
    admitted: AdmittedCall,
    subject: Stored<'auditSubject'>,
  ): Promise<Omit<Prepared, 'subject'>> {
    const refuse = (kind: Failure['kind']): Omit<Prepared, 'subject'> => ({
      result: kind,
      outcome: fail({ kind }),
    });
    const { connection, key, cached } = admitted;
    const { found, values, bulk, refresh, isGone } = admitted.call;
    if (connection === undefined) return refuse('no-such-connection');
    const { role, quota } = admitted.token;
    if (!mayAsk(role.name, connection)) return refuse('not-for-role');
    const apiKey = key && vault.openKey(key, connection.baseAddress);
    if (key === undefined || apiKey === undefined) return refuse('no-key');

    const fromCache = refresh || cached === undefined ? undefined : openCached(parts, cached);
    if (fromCache !== undefined) return { result: 'cached', outcome: succeed(fromCache) };
    const call = found.route.call(values, connection.store);
    if (apiKey === '' && call.keyless !== true) return refuse('no-key');
    const { cacheKey } = key;
    const request = { connection, apiKey, call, cacheKey, refresh, quota, subject, isGone };
    const { by, outcome } = await ask(request, bulk);
    return { result: outcome.ok ? by : outcome.fault.kind, outcome };
  }

  /** Judges a token by its stored state, and extends its life because it is used. */
  async function judge(
    given: TokenParts,
    token: KnownToken | undefined,
  ): Promise<Result<KnownToken, Failure>> {
    holding.delete(given.name);
    if (token === undefined || !sameHash(given.hash, token.hash))
      return fail({ kind: 'token-unknown' });
    const now = clocks.now();
    if (token.revokedAt !== 0) return fail({ kind: 'token-revoked' });
    if (token.expiresAt <= now) return fail({ kind: 'token-expired' });
    holding.add(given.name);
    const extended = extendedExpiry(token, now);
    if (extended !== undefined) await store.extendToken(token.id, extended);
    return succeed(token);
  }

  async function admit(
    header: string | undefined,
    asked: AgentCall,
  ): Promise<Result<AdmittedCall, Failure>> {
    const given = tokenOf(header);
    if (!given.ok) return given;
    // The database may refuse a text that is not an id, and with it all calls that are looked up together.
    const connection = isConnectionId(asked.connection) ? asked.connection : '';
    const { requests, ...options } = asked;
    const lookUp = ({ found: { route }, values }: RouteRequest): Promise<Stored<'callFindings'>> =>
      store.findCall({
        token: given.value.id,
        connection,
        cacheKeyEnd: cacheKeyEndOf(parts, { connection, path: route.path, values }),
        skipsCache: options.refresh || cacheMs[route.kind] === 0,
      });
    const [first, ...others] = requests;
    if (first === undefined) return fail({ kind: 'not-a-seller-call' });
    let found = await lookUp(first);
    const token = await judge(given.value, found.token);
    if (!token.ok) return token;
    const { marketplace } = found.connection ?? first.found;
    const request = requests.find((one) => one.found.marketplace === marketplace);
    if (request === undefined) return fail({ kind: 'not-a-seller-call' });
    if (others.includes(request)) found = await lookUp(request);
    const call = { ...options, ...request, connection };
    return succeed({ ...found, token: token.value, call });
  }

  return {
    holding,
    authorize: async (header) => {
      const given = tokenOf(header);
      return given.ok ? judge(given.value, await store.findToken(given.value.id)) : given;
    },

    answer: async (header, asked) => {
      const admitted = await admit(header, asked);
      if (!admitted.ok) return admitted;
      const { token, call } = admitted.value;
      const { route, fields, accountFields } = call.found;
      const [code = ''] = call.values;
      const isAbout = route.kind === 'item' || route.kind === 'validation';
      const about = isAbout ? code : '';
      const subject = {
        callId: randomUUID(),
        agent: token.agent,
        token: token.id,
        connection: call.connection,
        call: code === route.probeCode ? 'account' : route.kind,
        codeHmac: about === '' ? '' : vault.hmac('audit-hmac', about),
        codeLast4: lastFour(about),
      } as const;
      const { result, outcome } = await outcomeOf(admitted.value, subject);
      if (!outcome.ok) {
        const { cause, ...failure } = outcome.fault;
        const told = token.role.maySee.includes('report') ? outcome : fail(failure);
        return succeed({ subject, result, outcome: told, cause });
      }
      const isAccount = subject.call === 'account';
      if (!isAccount && fields === undefined) return succeed({ subject, result, outcome });
      const { raw, checkedAt } = outcome.value;
      const body = isAccount
        ? redactAccount(raw.body, accountFields, token.role.maySee)
        : keepFields(raw.body, fields ?? []);
      const seen = { ...raw, body };
      return succeed({ subject, result, outcome: succeed({ raw: seen, checkedAt }) });
    },
  };
}

/** Tells whether a connection may have this id: 1 to 40 lower-case letters, digits and dashes. */
export function isConnectionId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(text);
}

export function mayAsk(role: string, { roles }: Pick<Stored<'connection'>, 'roles'>): boolean {
  return roles.length === 0 || roles.includes(role);
}

function tokenOf(header: string | undefined): Result<TokenParts, Failure> {
  if (header === undefined) return fail({ kind: 'token-missing' });
  const given = parseAuthorization(header);
  return given === undefined ? fail({ kind: 'token-unknown' }) : succeed(given);
}

/**
 * Returns the last four characters of a code for the audit; `''` if it has fewer than twelve, of which four would be too many. Characters
 * are code points. Terminal controls and lone surrogates become U+FFFD.
 */
export function lastFour(code: string): string {
  // Twelve characters take 24 units at most; one that is cut in two here counts as whole.
  const end = Array.from(code.slice(-24));
  return end.length < 12
    ? ''
    : end
        .slice(-4)
        .join('')
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, '\ufffd');
}
