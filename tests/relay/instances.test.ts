import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { delay } from '#core/time/index';
import { auditRows, begunReplies, isReply } from '#tests/relay/support/audit-rows';
import {
  type CountingUpstream,
  countingUpstream,
  mostInAnyWindow,
} from '#tests/relay/support/counting-upstream';
import { type FaultProxy, faultProxy } from '#tests/relay/support/fault-proxy';
import {
  type RelayFiles,
  type StartedRelay,
  account,
  callThrough,
  relayOn,
  validation,
} from '#tests/relay/support/relay';
import { killRelays, spawnRelay } from '#tests/relay/support/relay-process';

let seller: CountingUpstream;
let files: RelayFiles;
let token: string;

beforeEach(async () => {
  seller = await countingUpstream();
  files = await relayOn('PostgreSQL');
});
afterEach(async () => {
  killRelays();
  await seller.close();
  files.remove();
});

async function connect(limit: string): Promise<void> {
  await files.connect('shop', seller.origin, 'canary-key-0123456789', limit);
  token = await files.join('ada@fenwick.test');
}

const check = (origin: string, code: string): Promise<Response> =>
  callThrough(`${origin}/c/shop`, token, validation, { code });

/**
 * Checks new codes through an instance, two at a time, while `going` says so or until it is gone; returns the status of
 * each.
 */
async function traffic(origin: string, name: string, going: () => boolean): Promise<number[]> {
  const statuses: number[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (going()) {
      const reply = await check(origin, `${name}-${String((next += 1))}`).catch(() => undefined);
      if (reply === undefined) return;
      await reply.text();
      statuses.push(reply.status);
    }
  };
  await Promise.all([lane(), lane()]);
  return statuses;
}

test('four instances with wrong clocks, stalls and a kill never exceed the limit in any window', async () => {
  await connect('--limit 30 --window 2');
  const ahead = [-5_000, 0, 2_500, 5_000];
  const relays = await Promise.all(ahead.map((aheadMs) => spawnRelay(files, { aheadMs })));
  let going = true;
  const running = relays.map(({ origin }, n) => traffic(origin, `code-${String(n)}`, () => going));
  const [first, killed, stalled] = relays;
  const arrived = (count: number): Promise<unknown> =>
    expect.poll(() => seller.arrived.length).toBeGreaterThan(count);
  await arrived(15);
  await first?.stall(1_000);
  await arrived(30);
  await Promise.all([killed?.end('SIGKILL'), stalled?.stall(1_000)]);
  await arrived(seller.arrived.length + 30);
  going = false;
  await Promise.all(running);
  await Promise.all(relays.filter((one) => one !== killed).map((one) => one.end('SIGTERM')));
  const moments = seller.arrived.map(({ at }) => at);
  expect(mostInAnyWindow(moments, 2_000)).toBeLessThanOrEqual(30);
}, 60_000);

test.each([-100_000, 100_000])(
  'a seller’s 429 holds everybody back for as long as it says, where a clock is ahead by %d ms',
  async (aheadMs) => {
    await connect('--limit 1000');
    const wrong = await spawnRelay(files, { aheadMs });
    const other = await files.start();
    seller.replyWith({ status: 429, headers: { 'retry-after': '60' }, body: '' });
    const reply = await check(wrong.origin, 'code-1');
    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(60);
    for (const { origin } of [wrong, other]) {
      const { status, headers } = await check(origin, 'code-2');
      expect(status).toBe(429);
      expect(headers.get('counterfoil-relay-failure')).toBe('upstream-rate-limited');
      // Up to a quarter later than said, so that clients do not come back together.
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(76);
    }
    expect(seller.arrived).toHaveLength(1);
    await Promise.all([wrong.end('SIGTERM'), other.stop()]);
  },
);

test('a code whose instance was killed is asked by another one within seconds', async () => {
  await connect('--limit 1000');
  const [killed, other] = [await spawnRelay(files), await files.start()];
  const release = seller.hold();
  const lost = check(killed.origin, 'code-1').catch(() => undefined);
  await expect.poll(() => seller.arrived.length).toBe(1);
  await killed.end('SIGKILL');
  expect(await lost).toBeUndefined();
  release();
  expect((await check(other.origin, 'code-1')).status).toBe(200);
  expect(seller.arrived).toHaveLength(2);
  await other.stop();
});

describe('four instances', () => {
  let relays: StartedRelay[];
  beforeEach(async () => {
    await connect('--limit 100000');
    relays = await Promise.all(Array.from({ length: 4 }, () => files.start()));
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
  });

  test('ask the upstream once for a hundred equal codes at once', async () => {
    const release = seller.hold();
    const replies = Array.from({ length: 100 }, (_, n) =>
      check(relays[n % 4]?.origin ?? '', 'the-same-code'),
    );
    await expect.poll(() => seller.arrived.length).toBe(1);
    release();
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(seller.arrived).toHaveLength(1);
  });

  test('ask once for equal codes, however long the seller takes', async () => {
    const release = seller.hold();
    const replies = relays.map(({ origin }) => check(origin, 'the-same-code'));
    await delay(6_000);
    release();
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(seller.arrived).toHaveLength(1);
  });

  test.each([
    ['an account', account, {}],
    [
      'a fresh answer',
      validation,
      { code: 'the-same-code', headers: { 'cache-control': 'no-cache' } },
    ],
  ])('wait for no other instance that asks for %s', async (_name, path, options) => {
    const release = seller.hold();
    const replies = relays.map(({ origin }) =>
      callThrough(`${origin}/c/shop`, token, path, options),
    );
    await expect.poll(() => seller.arrived.length).toBe(4);
    release();
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
  });

  test('begin no reply after a token was revoked', async () => {
    let revoked = false;
    const running = relays.map(({ origin }, n) =>
      traffic(origin, `code-${String(n)}`, () => !revoked),
    );
    await expect.poll(() => seller.arrived.length).toBeGreaterThan(20);
    await files.admin(`tokens revoke ${token.split('_')[1] ?? ''}`);
    const after = await Promise.all(relays.map(({ origin }) => check(origin, 'after')));
    expect(after.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    revoked = true;
    const statuses = (await Promise.all(running)).flat();

    const rows = await files.administer(auditRows);
    const end = rows.findIndex(({ result }) => result === 'token-revoked');
    expect(end).toBeGreaterThan(0);
    expect(rows.slice(end).filter(isReply)).toEqual([]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(begunReplies(rows).length);
  });
});

describe('a database that is gone', () => {
  let proxy: FaultProxy;
  let relay: StartedRelay;
  beforeEach(async () => {
    await connect('--limit 100000');
    proxy = await faultProxy(files.postgres?.port ?? 0);
    relay = await files.start({ database: proxy.lead(files.database) });
  });
  afterEach(async () => {
    await relay.stop();
    await proxy.close();
  });

  test.each(['refusing', 'silent'] as const)(
    'and %s is a 503 of the relay, asks nobody, and is used again once it is back',
    async (mode) => {
      // Several connections are open then.
      const before = ['one', 'two', 'three', 'four'].map((code) => check(relay.origin, code));
      for (const { status } of await Promise.all(before)) expect(status).toBe(200);
      proxy.set(mode);
      const gone = await Promise.all(Array.from({ length: 30 }, () => check(relay.origin, 'code')));
      for (const { status, headers } of gone) {
        expect([status, headers.get('counterfoil-relay-failure')]).toEqual([
          503,
          'store-unavailable',
        ]);
      }
      expect((await fetch(`${relay.origin}/readyz`)).status).toBe(503);
      expect((await fetch(`${relay.origin}/healthz`)).status).toBe(200);
      expect(seller.arrived).toHaveLength(before.length);
      proxy.set('forwarding');
      await expect.poll(async () => (await check(relay.origin, 'code-after')).status).toBe(200);
    },
  );
});
