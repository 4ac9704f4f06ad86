import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import type { CheckReport } from '#core/check/index';
import { fail, succeed } from '#core/result';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { waitForAbsence } from '#tests/support/waits';

const known = '4e2e8b4d-c3e4-457a-8873-d20a7b8c74df';
const unknown = '00000000-1111-4222-8333-444444444444';
const other = '2a9e8fa9-8f64-21ce-f9ef-ba116a83a531';
const proven = { ...defaultDialect, proven: true };

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

const check = (connectionId: string, code: string, fresh = false): Promise<CheckReport> =>
  harness.ask('check', { connectionId, code, fresh });

const paths = async (): Promise<string[]> => (await harness.requests()).map(({ path }) => path);

describe('a check', () => {
  it('brings the purchase in one request and proves the dialect', async () => {
    const { id, revision } = await harness.connect('/market');
    const report = await check(id, known);
    expect(report).toMatchObject({
      connectionId: id,
      code: known,
      cached: false,
      outcome: succeed({ kind: 'purchase', purchase: { purchaseCode: known } }),
    });
    expect(await paths()).toEqual(['/market/api/purchases/validation']);
    const [connection] = await harness.ask('connections.list', {});
    expect(connection).toMatchObject({ revision: revision + 1, dialect: { proven: true } });
  });

  it('gives a kept reply until five minutes are over, and to a worker that was stopped', async () => {
    const { id } = await harness.connect('/market');
    const first = await check(id, known);
    await harness.restart();
    harness.pass(4 * 60_000);
    expect(await check(id, known)).toEqual({ ...first, cached: true });
    harness.pass(61_000);
    expect(await check(id, known)).toMatchObject({ cached: false });
    expect(await paths()).toHaveLength(2);
  });

  it('passes over kept replies when asked to', async () => {
    const { id } = await harness.connect('/market');
    await check(id, known);
    expect(await check(id, known, true)).toMatchObject({ cached: false });
  });

  it('removes kept replies when their time is over', async () => {
    const { id } = await harness.connect('/market');
    await check(id, known);
    expect(harness.session.dump()).toContain(known);
    harness.pass(5 * 60_000);
    await harness.runAlarms();
    expect(harness.session.dump()).not.toContain(known);
  });

  it('removes them even while checks go on', async () => {
    const { id } = await harness.connect('/market');
    await check(id, known);
    await check(id, unknown);
    for (let minutes = 0; minutes < 6; minutes += 1) {
      harness.pass(60_000);
      await harness.runAlarms();
      await check(id, other, true);
    }
    expect(harness.session.dump()).not.toContain(known);
    expect(harness.session.dump()).not.toContain(unknown);
    harness.pass(5 * 60_000);
    await harness.runAlarms();
    expect(harness.session.dump()).not.toContain(other);
  });

  it('shares one request between two who ask for the same', async () => {
    const { id } = await harness.connect('/market');
    const [one, other] = await Promise.all([check(id, known), check(id, known)]);
    expect(one).toBe(other);
    expect(await paths()).toHaveLength(1);
  });

  it('that is to be fresh does not wait for a request that hangs', async () => {
    const { id } = await harness.connect('/market');
    await harness.injectFault({ fault: 'silence', base: '/market' });
    const hangs = check(id, known);
    await expect.poll(paths).toHaveLength(1);
    await harness.clearFaults();
    expect(await check(id, known, true)).toMatchObject({ outcome: { ok: true } });
    void hangs;
  });

  it('does not wait for a request that seems to hang, such as one that the agent stopped before the popup was closed', async () => {
    const { id } = await harness.connect('/market');
    await harness.injectFault({ fault: 'silence', base: '/market' });
    const hangs = check(id, known);
    await expect.poll(paths).toHaveLength(1);
    await harness.clearFaults();
    await waitForAbsence(2600);
    expect(await check(id, known)).toMatchObject({ outcome: { ok: true } });
    void hangs;
  });

  it('that is to be fresh does not share a kept reply', async () => {
    const { id } = await harness.connect('/market');
    await check(id, known);
    const [kept, fresh] = await Promise.all([check(id, known), check(id, known, true)]);
    expect([kept.cached, fresh.cached]).toEqual([true, false]);
    expect(await paths()).toHaveLength(2);
  });

  it('believes a not-found after the account check and, until proven, the other encodings', async () => {
    const { id } = await harness.connect('/market');
    expect(await check(id, unknown)).toMatchObject({
      outcome: succeed({
        kind: 'not-found',
        msg: 'Invalid purchase code',
        key: 'good',
        proven: false,
      }),
    });
    const requests = await harness.requests();
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /market/api/purchases/validation',
      'GET /market/api/account/details',
      'POST /market/api/purchases/validation',
      'POST /market/api/purchases/validation',
      'POST /market/api/purchases/validation',
      'GET /market/api/account/details',
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

  it('asks a proven connection once, and for the account after each not-found', async () => {
    const { id } = await harness.connect('/market');
    await check(id, known);
    await harness.requests();
    expect(await check(id, unknown)).toMatchObject({
      outcome: succeed({ key: 'good', proven: true }),
    });
    expect(await paths()).toHaveLength(2);
    await check(id, unknown, true);
    expect(await paths()).toHaveLength(2);
    harness.pass(5 * 60_000);
    await check(id, unknown, true);
    expect(await paths()).toHaveLength(2);
    // The clock was turned back, by less than an account check proves the key for.
    harness.pass(-4 * 60_000);
    await check(id, unknown, true);
    expect(await paths()).toHaveLength(2);
  });

  it('keeps a not-found for half a minute', async () => {
    const { id } = await harness.connect('/market');
    await check(id, known);
    await check(id, unknown);
    harness.pass(29_000);
    expect(await check(id, unknown)).toMatchObject({ cached: true });
    harness.pass(2000);
    expect(await check(id, unknown)).toMatchObject({ cached: false });
  });

  it('keeps no not-found while the account could not be asked', async () => {
    const { id } = await harness.connect('/market');
    await check(id, known);
    await harness.injectFault({
      fault: 'html-500',
      base: '/market',
      endpoint: 'account',
      times: 2,
    });
    expect(await check(id, unknown)).toMatchObject({
      outcome: succeed({ kind: 'not-found', key: 'unknown' }),
    });
    expect(await check(id, unknown)).toMatchObject({ cached: false });
  });

  it('says that the key is wrong, never that the code is', async () => {
    const { id } = await harness.connect('/market', { apiKey: 'not-the-key' });
    expect(await check(id, known)).toMatchObject({
      outcome: fail({ kind: 'refused', msg: 'Invalid request', about: 'key' }),
    });
    expect(await paths()).toEqual([
      '/market/api/purchases/validation',
      '/market/api/account/details',
    ]);
  });

  it.each(['/dialect/json-only', '/dialect/multipart-only', '/dialect/query-only'] as const)(
    'finds and remembers the encoding that %s reads',
    async (base) => {
      const { id } = await harness.connect(base);
      expect(await check(id, known)).toMatchObject({
        outcome: succeed({ kind: 'purchase' }),
      });
      const [connection] = await harness.ask('connections.list', {});
      expect(connection?.dialect).toMatchObject({ encoding: base.slice(9, -5), proven: true });
      await harness.requests();
      await check(id, known, true);
      expect(await paths()).toHaveLength(1);
    },
  );

  it.each([
    '/dialect/item-reply',
    '/dialect/translated',
    '/dialect/translated-errors',
    '/dialect/php',
    '/dialect/php-bom',
    '/dialect/php-notice',
    '/dialect/one-item',
    '/dialect/rate-limited',
  ] as const)('reads %s', async (base) => {
    const { id } = await harness.connect(base);
    const { supported, lapsed, noSupport, unknown: nobodys } = sampleCodes(base);
    for (const code of [supported, lapsed, noSupport])
      expect(await check(id, code)).toMatchObject({
        outcome: succeed({ kind: 'purchase', purchase: { purchaseCode: code } }),
      });
    expect(await check(id, nobodys)).toMatchObject({
      outcome: succeed({ kind: 'not-found' }),
    });
  });

  it('never puts a key that belongs in a header anywhere else', async () => {
    const { id } = await harness.connect('/dialect/header-only', {
      dialect: { ...defaultDialect, keyPlacement: 'X-API-Key' },
    });
    await check(id, known);
    await check(id, unknown);
    const key = harness.sandbox.keys['/dialect/header-only'];
    const requests = await harness.requests();
    expect(requests.length).toBeGreaterThan(1);
    for (const { query, body, headers } of requests) {
      expect(query + body).not.toContain(key);
      expect(headers['x-api-key']).toBe(key);
    }
  });

  it('asks nobody without the browser’s permission, not even for a kept reply', async () => {
    const { id } = await harness.connect('/market');
    await check(id, known);
    await harness.requests();
    harness.granted.clear();
    expect(await check(id, known)).toMatchObject({
      cached: false,
      outcome: fail({ kind: 'not-permitted', origin: harness.sandbox.origin }),
    });
    expect(await paths()).toEqual([]);
  });

  it.each([['nothing'], ['deleted']])('says that there is no connection: %s', async (what) => {
    const { id } = await harness.connect('/market');
    if (what === 'deleted') await harness.ask('connections.delete', { id });
    expect(await check(what === 'deleted' ? id : 'nobody', known)).toMatchObject({
      outcome: fail({ kind: 'no-connection' }),
    });
    expect(await paths()).toEqual([]);
  });

  it('says that no key was ever entered', async () => {
    const saved = await harness.ask('connections.save', {
      name: 'Keyless',
      baseAddress: `${harness.sandbox.origin}/market`,
      dialect: proven,
    });
    if (!saved.ok) throw new Error(saved.fault.kind);
    expect(saved.value).toMatchObject({ hasKey: false, dialect: { proven: false } });
    expect(await check(saved.value.id, known)).toMatchObject({
      outcome: fail({ kind: 'no-key', reason: 'never-entered' }),
    });
  });
});

describe('a check that meets a fault', () => {
  it('tells an answer about another code, and keeps no fault', async () => {
    const { id } = await harness.connect('/market');
    await harness.injectFault({ fault: 'other-code', base: '/market' });
    expect(await check(id, known)).toMatchObject({
      outcome: fail({ kind: 'mismatch' }),
    });
    expect(await check(id, known)).toMatchObject({ cached: false, outcome: { ok: true } });
  });

  it('follows no redirect, and suspects the User-Agent no longer once a plain one met the same', async () => {
    const { id } = await harness.connect('/market');
    await harness.injectFault({ fault: 'redirect', base: '/market', times: 2 });
    expect(await check(id, known)).toMatchObject({
      outcome: fail({ kind: 'redirected', userAgent: 'ruled-out' }),
    });
    expect(await paths()).toEqual(Array(2).fill('/market/api/purchases/validation'));
  });

  it('goes on suspecting the User-Agent where the second request met another fault', async () => {
    const { id } = await harness.connect('/market');
    await harness.injectFault({ fault: 'redirect', base: '/market' });
    await harness.injectFault({ fault: 'html-500', base: '/market' });
    expect(await check(id, known)).toMatchObject({
      outcome: fail({ kind: 'redirected', userAgent: 'suspected' }),
    });
  });

  it('does not suspect a User-Agent that is plain already', async () => {
    const { id } = await harness.connect('/market', {
      dialect: { ...defaultDialect, plainUserAgent: true },
    });
    await harness.injectFault({ fault: 'redirect', base: '/market', times: 2 });
    expect(await check(id, known)).toMatchObject({
      outcome: fail({ kind: 'redirected', userAgent: 'ruled-out' }),
    });
    expect(await paths()).toHaveLength(1);
  });

  it('rules nothing out while the browser has not set the rule, and sets it before the next request', async () => {
    const { id, baseAddress } = await harness.connect('/dialect/turns-browsers-away', {
      dialect: { ...defaultDialect, plainUserAgent: true },
    });
    harness.failRules(1);
    await harness.closeBrowser();
    expect(await check(id, known)).toMatchObject({ outcome: { ok: true } });
    expect(harness.ruled()).toEqual([baseAddress]);
    harness.failRules(99);
    await harness.closeBrowser();
    expect(await check(id, known)).toMatchObject({
      outcome: fail({ kind: 'redirected', userAgent: 'suspected' }),
    });
  });

  it('asks nobody before the moment that a 429 named, in a check of another code either', async () => {
    const { id } = await harness.connect('/market');
    await harness.injectFault({ fault: 'too-many-429', base: '/market', retryAfter: 30 });
    expect(await check(id, known)).toMatchObject({
      outcome: fail({ kind: 'rate-limited' }),
    });
    expect(await check(id, other)).toMatchObject({
      outcome: fail({ kind: 'rate-limited', by: 'server' }),
    });
    expect(await paths()).toHaveLength(1);
  });

  it('confirms that browsers are turned away, and is cured for that base address alone', async () => {
    const { id, baseAddress } = await harness.connect('/dialect/turns-browsers-away');
    expect(await check(id, known)).toMatchObject({
      outcome: fail({ kind: 'redirected', userAgent: 'confirmed' }),
    });
    expect(harness.ruled()).toEqual([]);
    const cured = await harness.ask('connections.plain-user-agent', { id, on: true });
    expect(cured).toMatchObject(succeed({ dialect: { plainUserAgent: true } }));
    expect(harness.ruled()).toEqual([baseAddress]);
    await harness.restart();
    expect(harness.ruled()).toEqual([baseAddress]);
    expect(await check(id, known)).toMatchObject({ outcome: { ok: true } });
  });

  it('asks nobody before the moment the server named', async () => {
    const { id } = await harness.connect('/market');
    await harness.injectFault({ fault: 'busy-503', base: '/market', retryAfter: 30 });
    expect(await check(id, known)).toMatchObject({
      outcome: fail({ kind: 'server-error', status: 503 }),
    });
    await harness.restart();
    const { outcome } = await check(id, known);
    expect(outcome).toMatchObject(fail({ kind: 'rate-limited', by: 'server' }));
    expect(await paths()).toHaveLength(1);
    harness.pass(31_000);
    expect(await check(id, known)).toMatchObject({ outcome: { ok: true } });
  });

  it('holds back what would be too fast, across a stop of the worker', async () => {
    const { id } = await harness.connect('/market', {
      dialect: { ...defaultDialect, requestsPerMinute: 2 },
    });
    await check(id, known);
    await check(id, known, true);
    await harness.restart();
    expect(await check(id, known, true)).toMatchObject({
      outcome: fail({ kind: 'rate-limited', by: 'pacing' }),
    });
    expect(await paths()).toHaveLength(2);
    harness.pass(61_000);
    expect(await check(id, known, true)).toMatchObject({ outcome: { ok: true } });
  });

  it.each([1, 2, 3])(
    'finds an answer in the end where %i requests a minute are allowed',
    async (limit) => {
      const dialect = { ...defaultDialect, requestsPerMinute: limit };
      for (const [base, code, kind] of [
        ['/market', unknown, 'not-found'],
        ['/dialect/query-only', known, 'purchase'],
      ] as const) {
        const { id } = await harness.connect(base, { dialect });
        let report = await check(id, code);
        for (let minutes = 0; minutes < 6 && !report.outcome.ok; minutes += 1) {
          expect(report.outcome.fault).toMatchObject({ kind: 'rate-limited', by: 'pacing' });
          harness.pass(61_000);
          await harness.restart();
          report = await check(id, code, true);
        }
        expect(report.outcome).toMatchObject(succeed({ kind }));
      }
    },
  );

  it('asks anew about a code once a search that was held back has ended', async () => {
    const dialect = { ...defaultDialect, requestsPerMinute: 3 };
    const { id } = await harness.connect('/market', { dialect });
    await check(id, unknown);
    harness.pass(61_000);
    expect(await check(id, unknown)).toMatchObject({ outcome: { ok: true } });
    harness.pass(61_000);
    await harness.requests();
    await check(id, unknown);
    const [first] = await harness.requests();
    expect(first?.headers['content-type']).toContain('application/x-www-form-urlencoded');
  });

  it('forgets a search that was held back after ten minutes', async () => {
    const dialect = { ...defaultDialect, requestsPerMinute: 1 };
    const { id } = await harness.connect('/market', { dialect });
    await check(id, unknown);
    expect(harness.session.dump()).toContain(unknown);
    harness.pass(10 * 60_000);
    await harness.runAlarms();
    expect(harness.session.dump()).not.toContain(unknown);
  });

  it('names an API that is switched off', async () => {
    const { id } = await harness.connect('/dialect/api-off');
    expect(await check(id, known)).toMatchObject({
      outcome: fail({ kind: 'api-off' }),
    });
  });
});
