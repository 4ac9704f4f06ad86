import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { defaultDialect } from '#core/connections/connection';
import type { CheckReport } from '#core/check/check-report';
import { type World, createWorld } from '#tests/background/worker-harness';

const known = '4e2e8b4d-c3e4-457a-8873-d20a7b8c74df';
const unknown = '00000000-1111-4222-8333-444444444444';
const proven = { ...defaultDialect, proven: true };

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const check = (connectionId: string, code: string, fresh = false): Promise<CheckReport> =>
  world.ask('check', { connectionId, code, fresh });

const paths = async (): Promise<string[]> => (await world.requests()).map(({ path }) => path);

describe('a check', () => {
  it('brings the purchase in one request and proves the dialect', async () => {
    const { id, revision } = await world.connect('/market');
    const report = await check(id, known);
    expect(report).toMatchObject({
      connectionId: id,
      code: known,
      kept: false,
      outcome: { ok: true, value: { kind: 'purchase', purchase: { purchaseCode: known } } },
    });
    expect(await paths()).toEqual(['/market/api/purchases/validation']);
    const [connection] = await world.ask('connections.list', {});
    expect(connection).toMatchObject({ revision: revision + 1, dialect: { proven: true } });
  });

  it('gives a kept reply until five minutes are over, and to a worker that was stopped', async () => {
    const { id } = await world.connect('/market');
    const first = await check(id, known);
    await world.restart();
    world.pass(4 * 60_000);
    expect(await check(id, known)).toEqual({ ...first, kept: true });
    world.pass(61_000);
    expect(await check(id, known)).toMatchObject({ kept: false });
    expect(await paths()).toHaveLength(2);
  });

  it('passes over kept replies when asked to', async () => {
    const { id } = await world.connect('/market');
    await check(id, known);
    expect(await check(id, known, true)).toMatchObject({ kept: false });
  });

  it('removes kept replies when their time is over', async () => {
    const { id } = await world.connect('/market');
    await check(id, known);
    expect(world.session.dump()).toContain(known);
    world.pass(5 * 60_000);
    await world.ring();
    expect(world.session.dump()).not.toContain(known);
  });

  it('shares one request between two who ask for the same', async () => {
    const { id } = await world.connect('/market');
    const [one, other, fresh] = await Promise.all([
      check(id, known),
      check(id, known),
      check(id, known, true),
    ]);
    expect(one).toBe(other);
    expect(one).toBe(fresh);
    expect(await paths()).toHaveLength(1);
  });

  it('believes a not-found after the account check and, until proven, the other encodings', async () => {
    const { id } = await world.connect('/market');
    expect(await check(id, unknown)).toMatchObject({
      outcome: {
        ok: true,
        value: { kind: 'not-found', msg: 'Invalid purchase code', key: 'good', proven: false },
      },
    });
    const requests = await world.requests();
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /market/api/purchases/validation',
      'GET /market/api/account/details',
      'POST /market/api/purchases/validation',
      'POST /market/api/purchases/validation',
      'POST /market/api/purchases/validation',
    ]);
    expect(
      requests
        .filter(({ method }) => method === 'POST')
        .map(({ headers }) => headers['content-type']?.split(';')[0]),
    ).toEqual([
      'application/x-www-form-urlencoded',
      'application/json',
      'multipart/form-data',
      undefined,
    ]);
  });

  it('asks a proven connection once, and for the account again only after some minutes', async () => {
    const { id } = await world.connect('/market');
    await check(id, known);
    await world.requests();
    expect(await check(id, unknown)).toMatchObject({
      outcome: { ok: true, value: { key: 'good', proven: true } },
    });
    expect(await paths()).toHaveLength(2);
    await check(id, unknown, true);
    expect(await paths()).toHaveLength(1);
    world.pass(5 * 60_000);
    await check(id, unknown, true);
    expect(await paths()).toHaveLength(2);
  });

  it('keeps a not-found for half a minute', async () => {
    const { id } = await world.connect('/market');
    await check(id, known);
    await check(id, unknown);
    world.pass(29_000);
    expect(await check(id, unknown)).toMatchObject({ kept: true });
    world.pass(2000);
    expect(await check(id, unknown)).toMatchObject({ kept: false });
  });

  it('keeps no not-found while the account could not be asked', async () => {
    const { id } = await world.connect('/market');
    await check(id, known);
    await world.befall({ fault: 'html-500', base: '/market', endpoint: 'account' });
    expect(await check(id, unknown)).toMatchObject({
      outcome: { ok: true, value: { kind: 'not-found', key: 'unknown' } },
    });
    expect(await check(id, unknown)).toMatchObject({ kept: false });
  });

  it('says that the key is wrong, never that the code is', async () => {
    const { id } = await world.connect('/market', { apiKey: 'not-the-key' });
    expect(await check(id, known)).toMatchObject({
      outcome: { ok: false, fault: { kind: 'refused', msg: 'Invalid request', about: 'key' } },
    });
    expect(await paths()).toEqual([
      '/market/api/purchases/validation',
      '/market/api/account/details',
    ]);
  });

  it.each(['/dialect/json-only', '/dialect/multipart-only', '/dialect/query-only'] as const)(
    'finds and remembers the encoding that %s reads',
    async (base) => {
      const { id } = await world.connect(base);
      expect(await check(id, known)).toMatchObject({
        outcome: { ok: true, value: { kind: 'purchase' } },
      });
      const [connection] = await world.ask('connections.list', {});
      expect(connection?.dialect).toMatchObject({ encoding: base.slice(9, -5), proven: true });
      await world.requests();
      await check(id, known, true);
      expect(await paths()).toHaveLength(1);
    },
  );

  it.each([
    '/dialect/item-reply',
    '/dialect/translated',
    '/dialect/php',
    '/dialect/php-bom',
  ] as const)('reads %s', async (base) => {
    const { id } = await world.connect(base);
    expect(await check(id, known)).toMatchObject({
      outcome: { ok: true, value: { kind: 'purchase', purchase: { purchaseCode: known } } },
    });
  });

  it('never puts a key that belongs in a header anywhere else', async () => {
    const { id } = await world.connect('/dialect/header-only', {
      dialect: { ...defaultDialect, keyPlacement: 'X-API-Key' },
    });
    await check(id, known);
    await check(id, unknown);
    const key = world.sandbox.keys['/dialect/header-only'];
    const requests = await world.requests();
    expect(requests.length).toBeGreaterThan(1);
    for (const { query, body, headers } of requests) {
      expect(query + body).not.toContain(key);
      expect(headers['x-api-key']).toBe(key);
    }
  });

  it('asks nobody without the browser’s permission, not even for a kept reply', async () => {
    const { id } = await world.connect('/market');
    await check(id, known);
    await world.requests();
    world.granted.clear();
    expect(await check(id, known)).toMatchObject({
      kept: false,
      outcome: { ok: false, fault: { kind: 'not-permitted', origin: world.sandbox.origin } },
    });
    expect(await paths()).toEqual([]);
  });

  it.each([['nothing'], ['deleted']])('says that there is no connection: %s', async (what) => {
    const { id } = await world.connect('/market');
    if (what === 'deleted') await world.ask('connections.delete', { id });
    expect(await check(what === 'deleted' ? id : 'nobody', known)).toMatchObject({
      outcome: { ok: false, fault: { kind: 'no-connection' } },
    });
    expect(await paths()).toEqual([]);
  });

  it('says that no key was ever entered', async () => {
    const saved = await world.ask('connections.save', {
      name: 'Keyless',
      baseAddress: `${world.sandbox.origin}/market`,
      dialect: proven,
    });
    if (!saved.ok) throw new Error(saved.fault.kind);
    expect(saved.value).toMatchObject({ hasKey: false, dialect: { proven: false } });
    expect(await check(saved.value.id, known)).toMatchObject({
      outcome: { ok: false, fault: { kind: 'no-key', because: 'never-entered' } },
    });
  });
});

describe('a check that meets a fault', () => {
  it('tells an answer about another code, and keeps no fault', async () => {
    const { id } = await world.connect('/market');
    await world.befall({ fault: 'other-code', base: '/market' });
    expect(await check(id, known)).toMatchObject({
      outcome: { ok: false, fault: { kind: 'mismatch' } },
    });
    expect(await check(id, known)).toMatchObject({ kept: false, outcome: { ok: true } });
  });

  it('follows no redirect, and suspects the User-Agent no longer once a plain one met the same', async () => {
    const { id } = await world.connect('/market');
    await world.befall({ fault: 'redirect', base: '/market', times: 2 });
    expect(await check(id, known)).toMatchObject({
      outcome: { ok: false, fault: { kind: 'redirected', userAgent: 'ruled-out' } },
    });
    expect(await paths()).toEqual(Array(2).fill('/market/api/purchases/validation'));
  });

  it('confirms that browsers are turned away, and is cured for that base address alone', async () => {
    const { id, baseAddress } = await world.connect('/dialect/turns-browsers-away');
    expect(await check(id, known)).toMatchObject({
      outcome: { ok: false, fault: { kind: 'redirected', userAgent: 'confirmed' } },
    });
    expect(world.ruled()).toEqual([]);
    const cured = await world.ask('connections.plain-user-agent', { id, on: true });
    expect(cured).toMatchObject({ ok: true, value: { dialect: { plainUserAgent: true } } });
    expect(world.ruled()).toEqual([baseAddress]);
    await world.restart();
    expect(world.ruled()).toEqual([baseAddress]);
    expect(await check(id, known)).toMatchObject({ outcome: { ok: true } });
  });

  it('asks nobody before the moment the server named', async () => {
    const { id } = await world.connect('/market');
    await world.befall({ fault: 'busy-503', base: '/market', retryAfter: 30 });
    expect(await check(id, known)).toMatchObject({
      outcome: { ok: false, fault: { kind: 'server-error', status: 503 } },
    });
    await world.restart();
    const { outcome } = await check(id, known);
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'rate-limited', by: 'server' } });
    expect(await paths()).toHaveLength(1);
    world.pass(31_000);
    expect(await check(id, known)).toMatchObject({ outcome: { ok: true } });
  });

  it('holds back what would be too fast, across a stop of the worker', async () => {
    const { id } = await world.connect('/market', {
      dialect: { ...defaultDialect, requestsPerMinute: 2 },
    });
    await check(id, known);
    await check(id, known, true);
    await world.restart();
    expect(await check(id, known, true)).toMatchObject({
      outcome: { ok: false, fault: { kind: 'rate-limited', by: 'pacing' } },
    });
    expect(await paths()).toHaveLength(2);
    world.pass(61_000);
    expect(await check(id, known, true)).toMatchObject({ outcome: { ok: true } });
  });

  it('names an API that is switched off', async () => {
    const { id } = await world.connect('/dialect/api-off');
    expect(await check(id, known)).toMatchObject({
      outcome: { ok: false, fault: { kind: 'api-off' } },
    });
  });
});
