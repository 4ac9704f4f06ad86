import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from 'vitest';

import { readKeyring } from '#relay/keys/keyring';
import { rotate } from '#relay/keys/vault';
import { writeToken } from '#relay/rules/token';
import type { Stored } from '#relay/store/records';
import { auditRows } from '#tests/relay/support/audit-rows';
import { countingUpstream, mostInAnyWindow } from '#tests/relay/support/counting-upstream';
import { account, callThrough, shopRelay, stores, validation } from '#tests/relay/support/relay';

describe.each(stores)('on %s', (store) => {
  const shop = shopRelay(store, '--limit 30 --window 2');
  const base = (): string => `${shop.relay.origin}/c/shop`;
  const check = (code: string, headers: Record<string, string> = {}): Promise<Response> =>
    callThrough(base(), shop.token, validation, { code, headers });
  const audit = (): Promise<readonly Stored<'audit'>[]> => shop.files.administer(auditRows);
  const failureOf = (reply: Response): unknown => reply.headers.get('counterfoil-relay-failure');

  test('thirty equal codes at once are one upstream call', async () => {
    const release = shop.seller.hold();
    const replies = Array.from({ length: 30 }, () => check('code-0001'));
    await expect.poll(() => shop.seller.arrived.length).toBe(1);
    release();
    expect(new Set((await Promise.all(replies)).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
    expect(shop.seller.arrived).toHaveLength(1);
  });

  test('a call whose token does not hold takes no slot and asks nobody', async () => {
    await check('code-0000');
    const id = Buffer.from(shop.token.split('_')[1] ?? '', 'hex');
    const forged = writeToken(id, randomBytes(32));
    const ask = (): Promise<Response> =>
      callThrough(base(), forged, validation, { code: 'code-1' });
    const replies = await Promise.all([ask(), ask(), check('code-1'), ask()]);
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 200, 401]);
    expect(shop.seller.arrived.map(({ code }) => code)).toEqual(['code-0000', 'code-1']);
    expect((await audit()).filter(({ kind }) => kind === 'intent')).toHaveLength(2);
  });

  test('a call whose API key does not open asks nobody, and the next one asks with a new key', async () => {
    await check('code-0000');
    const broken = { masterKeyId: 'none', wrappedDataKey: Buffer.of(1), sealed: Buffer.of(2) };
    await shop.files.administer((one) => one.putKey({ connection: 'shop', version: 2, ...broken }));
    expect(failureOf(await check('code-0001'))).toBe('no-key');
    await shop.files.admin('keys set shop --anyway', 'canary-key-9876543210');
    expect((await check('code-0001')).status).toBe(200);
    expect(shop.seller.arrived.map(({ code }) => code)).toEqual(['code-0000', 'code-0001']);
    expect((await audit()).filter(({ kind }) => kind === 'intent')).toHaveLength(2);
  });

  test('a master key is changed while calls go on, and none of them fails', async () => {
    await shop.files.admin('connections edit shop --limit 6000');
    const next = join(shop.files.folder, 'next.key');
    writeFileSync(next, randomBytes(32), { mode: 0o400 });
    const both = readKeyring([next, shop.files.masterKey]);
    await shop.relay.stop();
    const relay = await shop.files.start({ keyring: both });
    const statuses: number[] = [];
    const ended = new AbortController();
    const agents = Array.from({ length: 4 }, async (_, agent) => {
      for (let n = 0; !ended.signal.aborted; n += 1) {
        const code = `code-${String(agent)}-${String(n)}`;
        const reply = await callThrough(`${relay.origin}/c/shop`, shop.token, validation, { code });
        statuses.push(reply.status);
      }
    });
    await expect.poll(() => statuses.length).toBeGreaterThan(20);
    expect(await shop.files.administer((store) => rotate(store, both))).toBeGreaterThan(0);
    const atRotation = statuses.length;
    await expect.poll(() => statuses.length).toBeGreaterThan(atRotation + 20);
    ended.abort();
    await Promise.all(agents);
    expect(new Set(statuses)).toEqual(new Set([200]));
    await relay.stop();
    // The old one is needed no more.
    const after = await shop.files.start({ keyring: readKeyring([next]) });
    expect((await callThrough(`${after.origin}/c/shop`, shop.token, account)).status).toBe(200);
    await after.stop();
  });

  test('no sliding window at the upstream holds more than the limit, and a refusal says when to come back', async () => {
    const replies: Response[] = [];
    for (let n = 0; n < 2; n += 1) {
      const wave = Array.from({ length: 60 }, (_, m) => check(`code-${String(n)}-${String(m)}`));
      replies.push(...(await Promise.all(wave)));
    }
    const refused = replies.filter(({ status }) => status !== 200);
    // A machine under load may stand still for longer than a slot lasts.
    expect(['pace', 'slot-missed']).toEqual(
      expect.arrayContaining([...new Set(refused.map(failureOf))]),
    );
    expect(refused.map(failureOf)).toContain('pace');
    expect(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true);
    const moments = shop.seller.arrived.map(({ at }) => at);
    expect(moments.length).toBe(replies.length - refused.length);
    expect(mostInAnyWindow(moments, 2_000)).toBeLessThanOrEqual(30);
  });

  test('a check gets its answer beside bulk', async () => {
    const ended = new AbortController();
    const bulk = (async (): Promise<number> => {
      let n = 0;
      for (; !ended.signal.aborted; n += 1)
        await check(`bulk-${String(n)}`, { 'counterfoil-work': 'bulk' });
      return n;
    })();
    await expect.poll(() => shop.seller.arrived.length).toBeGreaterThan(3);
    for (let n = 0; n < 5; n += 1)
      expect((await check(`interactive-${String(n)}`)).status).toBe(200);
    ended.abort();
    expect(await bulk).toBeGreaterThan(0);
  });

  test('an upstream that answers 429 is left alone', async () => {
    shop.seller.replyWith({ status: 429, headers: { 'retry-after': '30' }, body: '{}' });
    const first = await check('code-0001');
    expect([first.status, failureOf(first)]).toEqual([429, 'upstream-rate-limited']);
    const second = await callThrough(base(), shop.token, account);
    expect([second.status, failureOf(second)]).toEqual([429, 'upstream-rate-limited']);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(28);
    expect(shop.seller.arrived).toHaveLength(1);
  });

  test.each([
    ['redirects', { status: 302, headers: { location: '/login' }, body: '' }],
    [
      'answers in an encoding that nobody asked for',
      { status: 200, headers: { 'content-encoding': 'gzip' }, body: 'x' },
    ],
    ['sends more than it may to', { status: 200, body: ' '.repeat(1024 * 1024 + 1) }],
  ])('an upstream that %s some questions is asked the others', async (_what, odd) => {
    shop.seller.replyWith(odd);
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        callThrough(base(), shop.token, `/api/items/item?item_id=${String(n)}`),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([502]));
    shop.seller.replyWith(undefined);
    expect((await check('code-0001')).status).toBe(200);
  });

  test('a connection that is removed and added again answers with its own replies alone', async () => {
    const former = await countingUpstream();
    const formerReply = {
      status: 200,
      body: '{"status":"success","items":[{"id":1,"name":"Former"}]}',
    };
    former.replyWith(formerReply);
    await shop.files.admin('connections remove shop');
    await shop.files.connect(
      'shop',
      former.origin,
      'canary-key-0123456789',
      '--limit 30 --window 2',
    );
    const read = async (): Promise<string> =>
      (await callThrough(base(), shop.token, '/api/items/all')).text();
    const release = former.hold();
    const underWay = read();
    await expect.poll(() => former.arrived.length).toBe(1);

    shop.seller.replyWith({ status: 200, body: formerReply.body.replace('Former', 'Latter') });
    await shop.files.admin('connections remove shop');
    await shop.files.connect(
      'shop',
      shop.seller.origin,
      'canary-key-0123456789',
      '--limit 30 --window 2',
    );
    expect(await read()).toContain('Latter');
    release();
    expect(await underWay).toContain('Former');
    expect(await read()).toContain('Latter');
    await former.close();
  });

  test('a body that is not read is refused in words, and asks nobody', async () => {
    const reply = await fetch(base() + validation, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'text/plain' },
      body: 'purchase_code=code-0001',
    });
    expect([reply.status, failureOf(reply)]).toEqual([400, 'request-unreadable']);
    expect(await reply.text()).toContain('application/x-www-form-urlencoded');
    expect(shop.seller.arrived).toHaveLength(0);
  });

  test('an upstream that is down is asked five times, then left alone', async () => {
    await shop.seller.close();
    const kinds: unknown[] = [];
    for (let n = 0; n < 7; n += 1) kinds.push(failureOf(await check(`code-${String(n)}`)));
    expect(kinds).toEqual([
      ...Array<string>(5).fill('upstream-unreachable'),
      ...Array<string>(2).fill('upstream-paused'),
    ]);
  });

  test.runIf(store === 'SQLite')(
    'a database that cannot be written is a 503 of the relay, asks nobody, and is used again once it can',
    async () => {
      const database = new DatabaseSync(shop.files.database);
      database.exec('BEGIN IMMEDIATE');
      const gone = await check('code-0001');
      expect([gone.status, failureOf(gone)]).toEqual([503, 'store-unavailable']);
      expect(Number(gone.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(shop.seller.arrived).toHaveLength(0);
      expect((await fetch(`${shop.relay.origin}/readyz`)).status).toBe(503);
      database.exec('ROLLBACK');
      database.close();
      expect((await fetch(`${shop.relay.origin}/readyz`)).status).toBe(200);
      expect((await check('code-0001')).status).toBe(200);
    },
  );

  describe('a stop', () => {
    test('turns the readiness red and lets live calls end', async () => {
      const release = shop.seller.hold();
      const live = check('code-0001');
      await expect.poll(() => shop.seller.arrived.length).toBe(1);
      const stopped = shop.relay.stop();
      setTimeout(release, 50);
      expect((await live).status).toBe(200);
      await stopped;
      expect(shop.relay.logged()).toContain('"event":"stopped","cut":0');
      await expect(fetch(`${shop.relay.origin}/healthz`)).rejects.toThrow();
      shop.relay = await shop.files.start();
    });

    test('answers 503 on its readiness while load balancers look away', async () => {
      await shop.relay.stop();
      const noticed = await shop.files.start({ noticeMs: 300 });
      const stopped = noticed.stop();
      expect((await fetch(`${noticed.origin}/readyz`)).status).toBe(503);
      expect(
        (await callThrough(`${noticed.origin}/c/shop`, shop.token, validation, { code: 'a' }))
          .status,
      ).toBe(200);
      await stopped;
    });
  });
});
