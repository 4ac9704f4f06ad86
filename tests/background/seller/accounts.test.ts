import { expect, test } from 'vitest';

import { createAccounts } from '#background/seller/accounts';
import type { SellerClient } from '#background/seller/seller-client';
import type { SessionCache } from '#adapters/storage/session-cache';
import { defaultDialect } from '#core/connections/connection';
import { fail } from '#core/result';
import type { Fault } from '#core/marketplaces/fault';

const connection = {
  id: 'c1',
  name: 'One',
  baseAddress: 'https://market.example',
  revision: 1,
  dialect: defaultDialect,
};
const access = { connection, apiKey: 'key', deadline: 20_000, isLocked: () => false };
const passedAt = Date.UTC(2026, 10, 3, 12);
const limited: Fault = { kind: 'rate-limited', retryAt: passedAt + 60_000, by: 'pacing' };

/** Accounts whose last check passed at `passedAt`, at a seller that the rate limit keeps from being asked. */
function accountsAt(now: number) {
  let asked = 0;
  const client: SellerClient = {
    request: () => {
      asked += 1;
      return Promise.resolve(fail(limited));
    },
  };
  const cache = { read: () => Promise.resolve(passedAt) } as unknown as SessionCache;
  return { accounts: createAccounts(client, cache, () => now), asked: () => asked };
}

test('a key in doubt is checked anew no more often than a window of the rate limit ends', async () => {
  const soon = accountsAt(passedAt + 69_000);
  expect(await soon.accounts.recheckKey(access)).toEqual({ ok: true, value: 'good' });
  expect(soon.asked()).toBe(0);
  const later = accountsAt(passedAt + 71_000);
  await later.accounts.recheckKey(access);
  expect(later.asked()).toBe(1);
});

test('a check that the rate limit puts off is no verdict on the key', async () => {
  const { accounts } = accountsAt(passedAt + 6 * 60_000);
  expect(await accounts.recheckKey(access)).toEqual(fail(limited));
  expect(await accounts.checkKey(access)).toEqual({ ok: true, value: 'unknown' });
});
