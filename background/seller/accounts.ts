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

export interface Accounts {
  /** Requests the account behind the key. */
  fetch(access: AuthorizedAccess): Promise<Result<Account, Fault>>;
  /**
   * Checks the key, by a recent account check or a new one. `unknown`: the account could not be requested.
   * A wrong key is the fault `refused` about `key`: it makes every code look bad (field notes).
   */
  checkKey(
    access: AuthorizedAccess,
  ): Promise<Result<'good' | 'unknown', Extract<Fault, { kind: 'refused' }>>>;
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

  return {
    fetch,
    async checkKey(access) {
      const passedAt = await sessionCache.read('account', sessionOwnerOf(access.connection));
      if (passedAt !== undefined && isRecent(passedAt, now())) return succeed('good');
      const account = await fetch(access);
      if (account.ok) return succeed('good');
      const { fault } = account;
      return fault.kind === 'refused' && fault.about === 'key' ? fail(fault) : succeed('unknown');
    },
  };
}

function isRecent(passedAt: number, now: number): boolean {
  return now < passedAt + keyProvenMs && !wasTurnedBack(passedAt, now);
}
