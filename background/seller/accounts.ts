import type { AuthorizedAccess } from '#background/seller/access';
import type { SellerClient } from '#background/seller/seller-client';
import type { SessionCache } from '#adapters/storage/session-cache';
import { type Result, fail, succeed } from '#core/result';
import type { Account } from '#core/marketplaces/resources';
import type { Fault } from '#core/marketplaces/fault';
import { marketplaceOf } from '#core/marketplaces/marketplaces';
import { wasTurnedBack } from '#core/time/units';

/** For how long a passed account check proves its key. */
const keyProvenMs = 5 * 60_000;
/** For how long one proves a key that is in doubt: longer than a window of the rate limit, so that a new one cannot take all of it. */
const doubtedKeyProvenMs = 70_000;

/**
 * Tells how an account check ended. `unknown`: the account could not be requested.
 * A wrong key is the fault `refused` about `key`: it makes every code look bad (field notes).
 */
export type KeyCheck = Result<'good' | 'unknown', Extract<Fault, { kind: 'refused' }>>;

/** Tells how a new account check ended, which the rate limit may put off. */
export type KeyRecheck = Result<
  'good' | 'unknown',
  Extract<Fault, { kind: 'refused' | 'rate-limited' }>
>;

export interface Accounts {
  /** Requests the account behind the key. */
  fetch(access: AuthorizedAccess): Promise<Result<Account, Fault>>;
  /** Checks the key, by an account check of the last five minutes or a new one. */
  checkKey(access: AuthorizedAccess): Promise<KeyCheck>;
  /** Checks a key that is in doubt, by an account check of the last 70 seconds or a new one. */
  recheckKey(access: AuthorizedAccess): Promise<KeyRecheck>;
}

export function createAccounts(
  client: SellerClient,
  sessionCache: SessionCache,
  now: () => number,
): Accounts {
  async function fetch(access: AuthorizedAccess): Promise<Result<Account, Fault>> {
    const account = await marketplaceOf(access.connection).account((call) =>
      client.request(access, call),
    );
    const { connection, isLocked } = access;
    if (account.ok) await sessionCache.write('account', connection, now(), isLocked);
    return account;
  }

  async function isProven(access: AuthorizedAccess, forMs: number): Promise<boolean> {
    const passedAt = await sessionCache.read('account', access.connection);
    return passedAt !== undefined && isRecent(passedAt, now(), forMs);
  }

  async function fetchToCheck(access: AuthorizedAccess): Promise<KeyRecheck> {
    const account = await fetch(access);
    if (account.ok) return succeed('good');
    const { fault } = account;
    if (fault.kind === 'rate-limited') return fail(fault);
    return fault.kind === 'refused' && fault.about === 'key' ? fail(fault) : succeed('unknown');
  }

  return {
    fetch,
    async recheckKey(access) {
      if (await isProven(access, doubtedKeyProvenMs)) return succeed('good');
      return fetchToCheck({ ...access, fresh: true });
    },
    async checkKey(access) {
      if (await isProven(access, keyProvenMs)) return succeed('good');
      const checked = await fetchToCheck(access);
      if (checked.ok) return checked;
      const { fault } = checked;
      return fault.kind === 'rate-limited' ? succeed('unknown') : fail(fault);
    },
  };
}

function isRecent(passedAt: number, now: number, forMs: number): boolean {
  return now < passedAt + forMs && !wasTurnedBack(passedAt, now);
}
