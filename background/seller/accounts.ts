import type { AuthorizedAccess } from '#background/seller/access';
import type { SellerClient } from '#background/seller/seller-client';
import { type SessionCache, sessionOwnerOf } from '#background/seller/session-cache';
import { type Result, fail, succeed } from '#core/result';
import type { Account } from '#core/seller/account';
import type { Fault } from '#core/seller/fault';
import { readAccountReply } from '#core/seller/replies';
import { accountRequest } from '#core/seller/requests';
import { wasTurnedBack } from '#core/time/clock-drift';

/** For how long a passed account check proves its key. */
const keyProvenMs = 5 * 60_000;

/**
 * Result of an account check. `unknown`: the account could not be requested.
 * A wrong key is the fault `refused` about `key`: it makes every code look bad (field notes).
 */
export type KeyCheck = Result<'good' | 'unknown', Extract<Fault, { kind: 'refused' }>>;

export interface Accounts {
  /** Requests the account behind the key. */
  fetch(access: AuthorizedAccess): Promise<Result<Account, Fault>>;
  /** Checks the key, by an account check of the last five minutes or a new one. */
  checkKey(access: AuthorizedAccess): Promise<KeyCheck>;
  /** Checks the key by a new account check. Call it when the key is in doubt, or when much depends on it. */
  recheckKey(access: AuthorizedAccess): Promise<KeyCheck>;
}

export function createAccounts(
  client: SellerClient,
  sessionCache: SessionCache,
  now: () => number,
): Accounts {
  async function fetch(access: AuthorizedAccess): Promise<Result<Account, Fault>> {
    const account = await client.request(access, {
      build: accountRequest,
      read: readAccountReply,
    });
    const { connection, isLocked } = access;
    if (account.ok)
      await sessionCache.write('account', sessionOwnerOf(connection), now(), isLocked);
    return account;
  }

  async function fetchToCheck(access: AuthorizedAccess): Promise<KeyCheck> {
    const account = await fetch(access);
    if (account.ok) return succeed('good');
    const { fault } = account;
    return fault.kind === 'refused' && fault.about === 'key' ? fail(fault) : succeed('unknown');
  }

  return {
    fetch,
    recheckKey: (access) => fetchToCheck({ ...access, fresh: true }),
    async checkKey(access) {
      const passedAt = await sessionCache.read('account', sessionOwnerOf(access.connection));
      const isProven = passedAt !== undefined && isRecent(passedAt, now());
      return isProven ? succeed('good') : fetchToCheck(access);
    },
  };
}

function isRecent(passedAt: number, now: number): boolean {
  return now < passedAt + keyProvenMs && !wasTurnedBack(passedAt, now);
}
