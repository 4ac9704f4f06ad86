import { connect, type Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { newToken } from '#relay/rules/index';
import { delay } from '#core/time/index';
import type { Store } from '#relay/store/index';
import { auditRows, begunReplies } from '#tests/relay/support/audit-rows';
import { callThrough, shopRelay, stores, validation } from '#tests/relay/support/relay';

const putSettings = (store: Store, payload: string): Promise<boolean> =>
  store.putSettings({
    version: 1,
    payload,
    signature: 'ab'.repeat(64),
    key: 'a'.repeat(64),
  });
const failureOf = (reply: Response): unknown => reply.headers.get('counterfoil-relay-failure');

describe('calls under way', () => {
  const shop = shopRelay('SQLite', '--limit 100000');
  const check = (code: string, authorization: string): Promise<Response> =>
    callThrough(`${shop.relay.origin}/c/shop`, '', validation, {
      code,
      headers: { authorization },
    });

  test('are counted by their token, however its header is spelled', async () => {
    const release = shop.seller.hold();
    const spellings = ['Bearer ', 'bEaRer ', 'BEARER    ', 'bearer  '];
    const held = Promise.allSettled(
      Array.from({ length: 32 }, (_, n) =>
        check(`code-${String(n)}`, `${spellings[n % 4] ?? ''}${shop.token}`),
      ),
    );
    await expect.poll(() => shop.seller.arrived.length).toBe(32);
    const more = await Promise.all(
      spellings.map((spelling) => check('one-more', `${spelling}${shop.token}`)),
    );
    expect(more.map(failureOf)).toEqual(Array(4).fill('pace'));
    release();
    await held;
  });

  test('of agents who have taken every connection to a seller leave one for the next agent', async () => {
    const eager = await Promise.all(
      ['eve', 'mallory', 'trudy', 'craig', 'chuck', 'oscar'].map((name) =>
        shop.files.join(`${name}@fenwick.test`),
      ),
    );
    const release = shop.seller.hold();
    const held = Promise.allSettled(
      eager.flatMap((token, of) =>
        Array.from({ length: 32 }, (_, n) =>
          check(`code-${String(of)}-${String(n)}`, `Bearer ${token}`),
        ),
      ),
    );
    await expect.poll(() => shop.seller.arrived.length).toBeGreaterThan(100);
    const own = check('of-ada', `Bearer ${shop.token}`);
    await expect.poll(() => shop.seller.arrived.some(({ code }) => code === 'of-ada')).toBe(true);
    release();
    expect((await own).status).toBe(200);
    await held;
  });
});

describe.each(stores)('on %s calls whose clients have gone', (store) => {
  const shop = shopRelay(store, '--limit 100000');

  test('count until they are answered, and have the row of a reply that was not begun', async () => {
    const check = (code: string, signal?: AbortSignal): Promise<Response> =>
      fetch(`${shop.relay.origin}/c/shop${validation}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.token}` },
        body: new URLSearchParams({ purchase_code: code }),
        ...(signal && { signal }),
      });
    const release = shop.seller.hold();
    const client = new AbortController();
    const held = Promise.allSettled(
      Array.from({ length: 32 }, (_, n) => check(`code-${String(n)}`, client.signal)),
    );
    await expect.poll(() => shop.seller.arrived.length).toBe(32);
    client.abort();
    await held;
    await delay(100);
    expect(failureOf(await check('one-more'))).toBe('pace');
    release();
    await expect.poll(async () => (await check('at-last')).status).toBe(200);
    const replies = (await shop.files.administer(auditRows)).filter(({ kind }) => kind === 'reply');
    expect(replies.filter(({ result }) => result === 'not-begun')).toHaveLength(32);
    expect(begunReplies(replies).length).toBe(replies.length - 64);
    expect(shop.relay.logged()).not.toContain('store-fault');
  });
});

describe.each(stores)('on %s the pace', (store) => {
  const shop = shopRelay(store, '--limit 60 --window 60');

  test('serves an agent who begins to wait beside one who has many calls waiting', async () => {
    const eve = await shop.files.join('eve@fenwick.test');
    const base = `${shop.relay.origin}/c/shop`;
    const many = Promise.allSettled(
      Array.from({ length: 31 }, (_, n) =>
        callThrough(base, eve, validation, { code: `code-${String(n)}` }),
      ),
    );
    await expect.poll(() => shop.seller.arrived.length).toBeGreaterThan(8);
    const own = await callThrough(base, shop.token, validation, { code: 'of-ada' });
    expect([own.status, failureOf(own)]).toEqual([200, null]);
    await many;
  });
});

describe('routes beside the seller calls', () => {
  const shop = shopRelay('SQLite', '--limit 100000', (files) =>
    files.admin('roles set agent report'),
  );
  let sockets: Socket[] = [];
  beforeEach(() => {
    sockets = [];
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
  });

  test.each(['/relay/v1/report?month=2026-01', '/relay/v1/settings'])(
    '%s counts among the calls of its token',
    async (path) => {
      const release = shop.seller.hold();
      const held = Promise.allSettled(
        Array.from({ length: 32 }, (_, n) =>
          callThrough(
            `${shop.relay.origin}/c/shop`,
            shop.token,
            '/api/items/item?item_id=' + String(n),
          ),
        ),
      );
      await expect
        .poll(async () => failureOf(await callThrough(shop.relay.origin, shop.token, path)))
        .toBe('pace');
      release();
      await held;
    },
  );

  test('begin no further reply while many bytes of others wait to be read', async () => {
    await shop.files.administer((one) => putSettings(one, 'x'.repeat(12_000_000)));
    const port = Number(new URL(shop.relay.origin).port);
    const get = `GET /relay/v1/settings HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer ${shop.token}\r\n\r\n`;
    for (let n = 0; n < 31; n += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.pause();
      socket.write(get);
      sockets.push(socket);
    }
    await expect
      .poll(async () =>
        failureOf(await callThrough(shop.relay.origin, shop.token, '/relay/v1/settings')),
      )
      .toBe('pace');
    const other = await shop.files.join(`bob@fenwick.test`);
    const reply = await callThrough(shop.relay.origin, other, '/relay/v1/settings');
    expect((await reply.text()).length).toBeGreaterThan(12_000_000);
  });
});

describe('a stranger', () => {
  const shop = shopRelay('SQLite');

  test('has few languages of theirs looked at', async () => {
    const locales = vi.spyOn(Intl, 'Locale');
    const wanted = Array.from(
      { length: 4_000 },
      (_, n) => `x${String.fromCharCode(97 + (n % 26))}`,
    );
    const headers = { 'accept-language': wanted.join(',').slice(0, 15_000) };
    expect((await fetch(`${shop.relay.origin}/relay/v1/joined`, { headers })).status).toBe(200);
    expect(locales.mock.calls.length).toBeLessThan(32);
  });

  /** A request whose body does not come, with a token that the relay has not given out. */
  const withoutBody = (): string =>
    `POST /c/shop/api/account HTTP/1.1\r\nHost: relay\r\nContent-Length: 1000\r\nAuthorization: Bearer ${newToken(0).text}\r\n\r\n`;

  test('who writes tokens has the places of whoever has none, and keeps no agent out', async () => {
    const { origin, port } = shop.relay;
    const check = async (token: string): Promise<unknown> => {
      const reply = await callThrough(`${origin}/c/shop`, token, validation, { code: 'code-0001' });
      return failureOf(reply) ?? reply.status;
    };
    const bob = await shop.files.join('bob@fenwick.test');
    expect(await check(bob)).toBe(200);
    const places = Array.from({ length: 256 }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.write(withoutBody());
      return socket;
    });
    await expect.poll(() => check(newToken(0).text)).toBe('pace');
    expect(failureOf(await fetch(`${origin}/relay/v1/joined`))).toBe('pace');
    // The relay has not seen Ada's token before.
    expect([await check(shop.token), await check(shop.token), await check(bob)]).toEqual(
      Array(3).fill(200),
    );
    await shop.files.admin(`agents remove bob@fenwick.test`);
    // Once it has not held, it is a stranger's.
    expect([await check(bob), await check(bob)]).toEqual(['token-unknown', 'pace']);
    for (const socket of places) socket.destroy();
    await expect.poll(() => check(newToken(0).text)).toBe('token-unknown');
  });

  test.each([
    ['asks nothing', () => ''],
    ['sends bodies that do not come, each with a token of its own', withoutBody],
  ])('who opens many connections and %s keeps nobody waiting', async (_, request) => {
    const port = Number(new URL(shop.relay.origin).port);
    const silent: Socket[] = [];
    for (let n = 0; n < 2_060; n += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(request());
      silent.push(socket);
      if (n % 100 === 0) await new Promise((resolve) => socket.once('connect', resolve));
    }
    const replies = await Promise.all(
      Array.from({ length: 150 }, () => fetch(`${shop.relay.origin}/healthz`)),
    );
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    for (const socket of silent) socket.destroy();
  });
});
