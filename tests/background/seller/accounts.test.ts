import { expect, test } from 'vitest';

import { createAccounts } from '#background/seller/accounts';
import type { SellerClient } from '#background/seller/seller-client';
import type { SessionCache } from '#adapters/storage/session-cache';
import { defaultDialect } from '#core/connections/index';
import { fail, succeed } from '#core/result';
import type { Fault } from '#core/marketplaces/index';
import { laterReaders, readersFrom } from '#core/marketplaces/asking';

const { codeReaderOf } = readersFrom(() => laterReaders);

const connection = {
  id: 'c1',
  name: 'One',
  baseAddress: 'https://market.example',
  revision: 1,
  dialect: defaultDialect,
};
const access = { connection, apiKey: 'key', deadline: 20_000, wasLocked: () => false };
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
  return { accounts: createAccounts(client, cache, codeReaderOf, () => now), asked: () => asked };
}

test('an account check says nothing of a key after an answer that came later', async () => {
  const before = accountsAt(passedAt + 1000);
  expect(await before.accounts.checkKeyAfter(access, passedAt)).toEqual(succeed('good'));
  expect(before.asked()).toBe(0);
  await before.accounts.checkKeyAfter(access, passedAt + 1);
  expect(before.asked()).toBe(1);
});

test('answers that come together share one account check, which begins after the last of them', async () => {
  let moment = passedAt;
  const begun: number[] = [];
  const answers: (() => void)[] = [];
  const client = {
    request: () => {
      begun.push(moment);
      return new Promise((answer) =>
        answers.push(() => {
          answer({ ok: true, value: {} });
        }),
      );
    },
  } as unknown as SellerClient;
  let stored: number | undefined;
  const cache = {
    read: () => Promise.resolve(stored),
    write: (_kind: string, _owner: unknown, value: number) => {
      stored = value;
      return Promise.resolve(true);
    },
  } as unknown as SessionCache;
  const accounts = createAccounts(client, cache, codeReaderOf, () => moment);
  const first = accounts.checkKeyAfter(access, moment);
  await Promise.resolve();
  moment += 5;
  const later = [1, 2, 3].map(() => accounts.checkKeyAfter(access, moment));
  await expect.poll(() => answers).toHaveLength(1);
  moment += 5;
  answers[0]?.();
  expect(await first).toEqual(succeed('good'));
  await expect.poll(() => answers).toHaveLength(2);
  answers[1]?.();
  expect(await Promise.all(later)).toEqual(later.map(() => ({ ok: true, value: 'good' })));
  expect(begun).toEqual([passedAt, passedAt + 10]);
});

test('a check that the rate limit puts off is no verdict on the key', async () => {
  const { accounts } = accountsAt(passedAt + 6 * 60_000);
  expect(await accounts.checkKeyAfter(access, passedAt + 1)).toEqual(fail(limited));
  expect(await accounts.checkKey(access)).toEqual(succeed('unknown'));
});
