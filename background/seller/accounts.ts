import type { AuthorizedAccess } from '#background/seller/access';
import type { SellerClient } from '#background/seller/seller-client';
import type { SessionCache } from '#adapters/storage/worker/index';
import { type Result, fail, succeed } from '#core/result';
import type { Account, Fault } from '#core/marketplaces/index';
import type { Readers } from '#core/marketplaces/asking';
import { isFresh, wasTurnedBack } from '#core/time/index';
import { isAboutKey } from '#core/check/index';

/** How long a passed account check vouches for a key in doubt, in milliseconds. */
const keyProvenMs = 5 * 60_000;

/**
 * The result of an account check. `unknown`: the account could not be requested. A wrong key is the fault `refused`
 * about `key`; with such a key a seller finds no code.
 */
export type KeyCheck = Result<'good' | 'unknown', Extract<Fault, { kind: 'refused' }>>;

/** The result of a new account check, which the rate limit may delay. */
export type KeyRecheck = Result<
  'good' | 'unknown',
  Extract<Fault, { kind: 'refused' | 'rate-limited' }>
>;

export interface Accounts {
  fetchAccount(access: AuthorizedAccess): Promise<Result<Account, Fault>>;
  /** Checks the key, using an account check from the last five minutes or a new one. */
  checkKey(access: AuthorizedAccess): Promise<KeyCheck>;
  /**
   * Checks the key with an account check that began at `moment` or later, since a key that worked before may have been
   * replaced. Answers that arrive together share one account check.
   * @param moment when the seller answered, epoch milliseconds
   */
  checkKeyAfter(access: AuthorizedAccess, moment: number): Promise<KeyRecheck>;
}

interface NewKeyCheck {
  readonly apiKey: string;
  readonly startedAt: number;
  readonly outcome: Promise<KeyRecheck>;
}

export function createAccounts(
  client: SellerClient,
  sessionCache: SessionCache,
  codeReaderOf: Readers['codeReaderOf'],
  now: () => number,
): Accounts {
  async function fetchAccount(access: AuthorizedAccess): Promise<Result<Account, Fault>> {
    const startedAt = now();
    const account = await codeReaderOf(access.connection).account((call) =>
      client.request(access, call),
    );
    const { connection, wasLocked } = access;
    if (account.ok) await sessionCache.write('account', connection, startedAt, wasLocked);
    else if (isAboutKey(account.fault)) {
      const refusal = { fault: account.fault, at: startedAt };
      await sessionCache.write('refusal', connection, refusal, wasLocked);
    }
    return account;
  }

  async function recheckKey(access: AuthorizedAccess): Promise<KeyRecheck> {
    const account = await fetchAccount(access);
    if (account.ok) return succeed('good');
    const { fault } = account;
    if (fault.kind === 'rate-limited') return fail(fault);
    return isAboutKey(fault) ? fail(fault) : succeed('unknown');
  }

  const underWay = new Map<string, NewKeyCheck>();

  async function checkKeyAfter(access: AuthorizedAccess, moment: number): Promise<KeyRecheck> {
    const { connection, apiKey } = access;
    const passedAt = await sessionCache.read('account', connection);
    if (passedAt !== undefined && passedAt >= moment && !wasTurnedBack(passedAt, now()))
      return succeed('good');
    const owner = `${connection.id} ${String(connection.revision)}`;
    const present = underWay.get(owner);
    if (present?.apiKey === apiKey) {
      if (present.startedAt >= moment) return present.outcome;
      await present.outcome;
      return checkKeyAfter(access, moment);
    }
    const outcome = recheckKey({ ...access, fresh: true });
    underWay.set(owner, { apiKey, startedAt: now(), outcome });
    return outcome.finally(() => underWay.delete(owner));
  }

  return {
    fetchAccount,
    checkKeyAfter,
    async checkKey(access) {
      const passedAt = await sessionCache.read('account', access.connection);
      if (passedAt !== undefined && isFresh(passedAt, now(), keyProvenMs)) return succeed('good');
      const checked = await recheckKey(access);
      if (checked.ok) return checked;
      const { fault } = checked;
      return fault.kind === 'rate-limited' ? succeed('unknown') : fail(fault);
    },
  };
}
