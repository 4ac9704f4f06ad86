import { beforeEach, expect, test } from 'vitest';

import { createSessionCache } from '#adapters/storage/session-cache';
import { proveDialect } from '#background/seller/seller-feature';
import { createSellerClient } from '#background/seller/seller-client';
import { createSerialQueue } from '#background/serial-queue';
import { defaultDialect, type StoredConnection } from '#core/connections/index';
import type { Fault } from '#core/marketplaces/index';
import { fail, type Result, succeed } from '#core/result';
import { createMemoryArea } from '#tests/adapters/memory-area';

const minute = 60_000;
const now = Date.UTC(2026, 10, 25);

let seller: ReturnType<typeof createSeller>;
beforeEach(() => {
  seller = createSeller();
});

/** A connection that takes two requests a minute, at a seller who answers when the test says so. */
function createSeller() {
  let connection: StoredConnection = {
    id: 'shop',
    name: 'Shop',
    baseAddress: 'https://shop.example',
    revision: 1,
    dialect: { ...defaultDialect, requestsPerMinute: 2 },
  };
  const answers: ((answer: Result<never, Fault>) => void)[] = [];
  const runExclusive = createSerialQueue();
  const sessionCache = createSessionCache(createMemoryArea());
  const client = createSellerClient({
    http: () => new Promise((answer) => answers.push(answer)),
    sessionCache,
    rules: { apply: () => Promise.resolve(true), during: (_, task) => task() },
    rulesReady: () => Promise.resolve(true),
    runExclusive,
    now: () => now,
  });
  const accessTo = (to: StoredConnection) => ({
    connection: to,
    apiKey: 'key',
    deadline: now + minute,
    wasLocked: () => false,
  });
  const connectionStore = {
    change: (edit: (all: readonly StoredConnection[]) => readonly StoredConnection[]) => {
      const changed = edit([connection]);
      connection = changed[0] ?? connection;
      return Promise.resolve(succeed(changed));
    },
  };
  return {
    answers,
    connection: () => connection,
    request: (to = connection) =>
      client.request<null>(accessTo(to), {
        build: () => ({
          method: 'GET',
          url: 'https://shop.example/',
          headers: {},
          timeoutMs: minute,
          maxBytes: 1000,
        }),
        read: () => succeed(null),
      }),
    prove: () =>
      proveDialect(
        { connectionStore, sessionCache, runExclusive } as Parameters<typeof proveDialect>[0],
        accessTo(connection),
        defaultDialect,
      ),
  };
}

const asked = (count: number) => expect.poll(() => seller.answers.length).toBe(count);

test('requests that go out while a dialect is proven count as well', async () => {
  const { connection, request, prove } = seller;
  void request();
  await asked(1);
  const before = connection();
  const proven = prove();
  void request(before);
  await proven;
  await asked(2);
  expect(connection().revision).toBe(before.revision + 1);
  expect(await request()).toMatchObject(fail({ kind: 'rate-limited' }));
});

test('what a request of before says counts once the dialect is proven', async () => {
  const { answers, connection, request, prove } = seller;
  const under = request();
  await asked(1);
  await prove();
  answers[0]?.(fail({ kind: 'rate-limited', retryAt: now + 10 * minute, by: 'server' }));
  await under;
  expect(connection().dialect.proven).toBe(true);
  expect(await request()).toMatchObject({ fault: { retryAt: now + 10 * minute } });
});

test('of two moments that the server named the later counts', async () => {
  const { answers, request } = seller;
  const both = [request(), request()];
  await asked(2);
  for (const [at, wait] of [10 * minute, 1000].entries()) {
    answers[at]?.(fail({ kind: 'rate-limited', retryAt: now + wait, by: 'server' }));
    await both[at];
  }
  expect(await request()).toMatchObject({ fault: { retryAt: now + 10 * minute } });
});
