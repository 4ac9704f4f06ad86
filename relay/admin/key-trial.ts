import { randomUUID } from 'node:crypto';

import { minSearchedKeyLength } from '#core/connections/index';
import { type SellerCall, marketplaceOf } from '#core/marketplaces/asking';
import type { Fault } from '#core/marketplaces/index';
import { type Result, fail } from '#core/result';
import { createAskUpstream } from '#relay/calls/ask-upstream';
import type { Vault } from '#relay/keys/vault';
import { createObserver } from '#relay/observe/observer';
import type { Failure, FailureKind } from '#relay/rules/index';
import type { Store, Stored } from '#relay/store/index';
import { createUpstream } from '#relay/upstream/send';

interface KeyTrial {
  /** `busy`: the rate limit or the marketplace allows no call now. */
  readonly verdict: 'works' | 'busy' | 'fails';
  /** Why, and what to do, in sentences; `''` if it works. */
  readonly why: string;
}

/**
 * Asks the marketplace for the account of an API key, in the same way as an agent's call: within the connection's pace, and with intent and
 * outcome in the audit.
 */
export async function tryKey(
  { store, vault }: { readonly store: Store; readonly vault: Vault },
  connection: Stored<'connection'>,
  apiKey: string,
): Promise<KeyTrial> {
  const reported: Promise<void>[] = [];
  const upstream = createUpstream(store.clocks.now);
  const askUpstream = createAskUpstream({
    store: {
      ...store,
      reportCall: (report) => {
        const done = store.reportCall(report);
        reported.push(done);
        return done;
      },
    },
    vault,
    upstream,
    clocks: store.clocks,
    observer: createObserver('silent', { write: () => undefined }),
  });
  let failure: Failure | undefined;
  let status = 0;
  const ask = async <T>(call: SellerCall<T>): Promise<Result<T, Fault>> => {
    if (apiKey === '' && call.keyless !== true)
      return fail({ kind: 'no-key', reason: 'never-entered' });
    const callId = randomUUID();
    const nobody = { agent: 'admin', token: '', codeHmac: '', codeLast4: '' };
    const subject = { callId, connection: connection.id, call: 'account', ...nobody } as const;
    const asked = { cacheKey: callId, refresh: true, isGone: () => false };
    const request = { connection, apiKey, call, subject, ...asked };
    const { outcome } = await askUpstream(request, false);
    if (outcome.ok) {
      ({ status } = outcome.value.raw);
      return call.read(outcome.value.raw, store.clocks.now());
    }
    failure = outcome.fault;
    return fail({ kind: 'unreachable' });
  };
  const account = await marketplaceOf(connection)
    .account(ask)
    .finally(() => {
      upstream.close();
    });
  await Promise.all(reported);
  if (account.ok) return { verdict: 'works', why: '' };
  if (failure !== undefined) {
    const verdict = busy.has(failure.kind) ? 'busy' : 'fails';
    return { verdict, why: whyFailed(failure, store.clocks.now(), connection) };
  }
  const { baseAddress, marketplace } = connection;
  const [otherwise, who] =
    marketplace === undefined
      ? ['see --key-placement and --encoding', 'a seller API']
      : ['give it the permission that it lacks', 'that marketplace'];
  const why =
    account.fault.kind === 'refused'
      ? `The marketplace refuses the key, with status ${String(status)}. Ask there for another, or ${otherwise}.`
      : `${baseAddress} answers with status ${String(status)}, and not as ${who} does: look at the address.`;
  return { verdict: 'fails', why };
}

/** Explains the risk of a key that is too short to be found in replies; undefined for a longer key. */
export function whyShort(apiKey: string): string | undefined {
  return apiKey !== '' && apiKey.length < minSearchedKeyLength
    ? `The key has fewer than ${String(minSearchedKeyLength)} characters: a reply that holds it is passed on, since it may be a word. Ask the marketplace for a longer one.`
    : undefined;
}

const busy: ReadonlySet<FailureKind> = new Set([
  'upstream-rate-limited',
  'upstream-paused',
  'pace',
]);

/** A shorter pause, in milliseconds, needs no action. */
const longPauseMs = 120_000;

function whyFailed(
  { kind, cause, retryAt = 0 }: Failure,
  now: number,
  { id, baseAddress }: Stored<'connection'>,
): string {
  const reasons: Partial<Record<FailureKind, string>> = {
    'upstream-unreachable': `cannot be reached: ${causeOf(cause)}. Look at the address, and at the way there from this machine.`,
    'upstream-timeout':
      'has not answered in time: look at the address, and at the way there from this machine.',
    'upstream-not-allowed': `leads to a private address. If that is meant: admin connections edit ${id} --allow-private`,
    'upstream-redirected':
      'redirects elsewhere, which is never followed: give the address that it leads to.',
    'upstream-echoed-key':
      'sends the key back in its reply, which is therefore withheld. Ask there.',
  };
  const otherwise = busy.has(kind)
    ? retryAt > now + longPauseMs
      ? `takes no further call until ${new Date(retryAt).toISOString()} (${kind}). To ask sooner all the same: admin connections edit ${id}`
      : `takes no further call now (${kind}): try again in a minute.`
    : `gave no answer that can be read (${kind}): look at the address.`;
  return `${baseAddress} ${reasons[kind] ?? otherwise}`;
}

const certificateCauses: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired; ask there',
  CERT_NOT_YET_VALID: 'does not hold yet; look at this machine’s clock too',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name; ask there, or give that name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by itself; name a file with it in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'is of an authority of its own; name its file in NODE_EXTRA_CA_CERTS',
};
const connectionCauses: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known; look for a slip, or at this machine’s DNS',
  EAI_AGAIN: 'this machine’s DNS gives no answer',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was broken',
  ENETUNREACH: 'this machine has no way there',
  EHOSTUNREACH: 'this machine has no way there',
  ETIMEDOUT: 'it does not answer; a firewall may be between',
};

/** Explains why no connection could be made, as the end of a sentence. */
export function causeOf(error: unknown): string {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  const certificate = certificateCauses[code];
  if (certificate !== undefined) return `its certificate ${certificate}`;
  if (/CERT|SIGNATURE/.test(code)) return `its certificate is not trusted here (${code})`;
  return connectionCauses[code] ?? (code === '' ? 'no connection came about' : code);
}
