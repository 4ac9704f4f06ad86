import { type Result, fail, succeed } from '#core/result';
import type { Account } from '#core/seller/account';
import type { Fault } from '#core/seller/fault';
import { readAccountReply } from '#core/seller/replies';
import { accountRequest } from '#core/seller/requests';
import type { Access, SellerClient } from '#background/seller/seller-client';
import { type SessionCache, ownerOf } from '#background/seller/session-cache';

/** How long a passed account check vouches for its key. */
const vouchedForMs = 5 * 60_000;

export interface Accounts {
  /** Asks for the account behind the key. */
  ask(access: Access): Promise<Result<Account, Fault>>;
  /**
   * Whether the key is good, from a check that passed lately or a new one. `unknown`: it could not be asked.
   * A wrong key is the fault `refused` about `key`: it makes every code look bad (field notes).
   */
  judgeKey(
    access: Access,
  ): Promise<Result<'good' | 'unknown', Extract<Fault, { kind: 'refused' }>>>;
}

export function createAccounts(
  sellerClient: SellerClient,
  sessionCache: SessionCache,
  now: () => number,
): Accounts {
  async function ask(access: Access): Promise<Result<Account, Fault>> {
    const account = await sellerClient(access, { request: accountRequest, read: readAccountReply });
    if (account.ok) await sessionCache.write('account', ownerOf(access.connection), now());
    return account;
  }

  return {
    ask,
    async judgeKey(access) {
      const passedAt = await sessionCache.read('account', ownerOf(access.connection));
      if (passedAt !== undefined && now() < passedAt + vouchedForMs) return succeed('good');
      const account = await ask(access);
      if (account.ok) return succeed('good');
      const { fault } = account;
      return fault.kind === 'refused' && fault.about === 'key' ? fail(fault) : succeed('unknown');
    },
  };
}
