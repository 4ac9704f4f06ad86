import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createRecentChecks } from '#adapters/storage/recent-checks';
import { defaultDialect } from '#core/connections/index';
import { fail, succeed } from '#core/result';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';

const known = '4e2e8b4d-c3e4-457a-8873-d20a7b8c74df';
const undoMs = 30_000;

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

const names = async (): Promise<string[]> =>
  (await harness.ask('connections.list', {})).map(({ name }) => name);
const check = (connectionId: string) =>
  harness.ask('check', { connectionId, code: known, fresh: false });
const draftOf = (baseAddress: string) => ({ name: 'Draft', baseAddress, dialect: defaultDialect });

describe('saving a connection', () => {
  it('adds it, says what is missing, and never gives the key back', async () => {
    harness.granted.clear();
    const saved = await harness.connect('/market', { name: ' Market ', apiKey: ' canary-key\n' });
    expect(saved).toMatchObject({
      name: 'Market',
      baseAddress: `${harness.sandbox.origin}/market`,
      revision: 1,
      hasKey: true,
      permitted: false,
    });
    expect(JSON.stringify([saved, await harness.ask('connections.list', {})])).not.toContain(
      'canary',
    );
    expect(harness.local.dump() + harness.session.dump()).not.toContain('canary');
  });

  it('forgives what is around a base address and refuses what is no such thing', async () => {
    const forgiven = await harness.connect('/market', {
      baseAddress: `${harness.sandbox.origin}/market/api/`,
    });
    expect(forgiven.baseAddress).toBe(`${harness.sandbox.origin}/market`);
    for (const bad of [
      'http://shop.example',
      'https://me@shop.example',
      'ftp://x',
      'javascript:alert(1)',
    ])
      expect(await harness.ask('connections.save', draftOf(bad))).toEqual(
        fail({ kind: 'bad-address' }),
      );
  });

  it('takes no key that a request could not carry', async () => {
    const draft = { ...draftOf('https://shop.example'), apiKey: 'key—1' };
    expect(await harness.ask('connections.save', draft)).toEqual(fail({ kind: 'bad-key' }));
    expect(await names()).toEqual([]);
  });

  it('adds once what is asked twice because the worker was stopped', async () => {
    const nonce = crypto.randomUUID();
    const draft = draftOf('https://shop.example');
    await harness.ask('connections.save', draft, nonce);
    await harness.ask('connections.save', draft, nonce);
    expect(await names()).toEqual(['Draft']);
  });

  it('changes it under a new revision, keeps its key and forgets what was kept', async () => {
    const { id, baseAddress } = await harness.connect('/market');
    await check(id);
    expect(harness.session.dump()).toContain(known);
    const { dialect } = (await harness.ask('connections.list', {}))[0] ?? {};
    const saved = await harness.ask('connections.save', {
      id,
      name: 'New name',
      baseAddress,
      dialect: { ...defaultDialect, ...dialect },
    });
    expect(saved).toMatchObject(
      succeed({ name: 'New name', revision: 3, hasKey: true, dialect: { proven: true } }),
    );
    expect(harness.session.dump()).not.toContain(known);
    expect(await check(id)).toMatchObject({ cached: false, outcome: { ok: true } });
  });

  it('takes no page’s word that a dialect is proven', async () => {
    const { id, baseAddress } = await harness.connect('/market');
    await check(id);
    const dialect = { ...defaultDialect, encoding: 'json', proven: true } as const;
    const saved = await harness.ask('connections.save', { id, name: 'N', baseAddress, dialect });
    expect(saved).toMatchObject(succeed({ dialect: { encoding: 'json', proven: false } }));
  });

  it('asks for the key again when the origin changes, and gives the old origin up', async () => {
    const { id } = await harness.connect('/market');
    const elsewhere = harness.sandbox.origin.replace('127.0.0.1', 'localhost');
    const draft = {
      id,
      name: 'Moved',
      baseAddress: `${elsewhere}/market`,
      dialect: defaultDialect,
    };
    expect(await harness.ask('connections.save', draft)).toEqual(fail({ kind: 'key-needed' }));
    const apiKey = harness.sandbox.keys['/market'];
    expect(await harness.ask('connections.save', { ...draft, apiKey })).toMatchObject({ ok: true });
    expect([...harness.granted]).toEqual(['http://localhost/*']);
  });

  it('asks for the key again when the path changes: another one is another tenant', async () => {
    const { id, baseAddress } = await harness.connect('/market');
    const draft = { id, name: 'Moved', dialect: defaultDialect };
    const moved = { ...draft, baseAddress: `${harness.sandbox.origin}/demo` };
    expect(await harness.ask('connections.save', moved)).toEqual(fail({ kind: 'key-needed' }));
    expect(await harness.ask('connections.list', {})).toMatchObject([{ id, baseAddress }]);
    const apiKey = harness.sandbox.keys['/demo'];
    expect(await harness.ask('connections.save', { ...moved, apiKey })).toMatchObject({ ok: true });
    const back = { ...draft, baseAddress };
    expect(await harness.ask('connections.save', back)).toEqual(fail({ kind: 'key-needed' }));
  });

  it.each(['/market/', '/market//', '/market/api/', '/x/../market', '/market/api/items/all'])(
    'keeps the key of an address that is only spelled another way, as %s',
    async (path) => {
      const { id } = await harness.connect('/market');
      const baseAddress = harness.sandbox.origin.replace('http', 'HTTP') + path;
      const draft = { id, name: 'Spelled', baseAddress, dialect: defaultDialect };
      expect(await harness.ask('connections.save', draft)).toMatchObject(succeed({ hasKey: true }));
      expect(await check(id)).toMatchObject({ outcome: { ok: true } });
    },
  );

  it('changes nothing that is not there', async () => {
    const draft = { ...draftOf('https://shop.example'), id: 'nobody', apiKey: 'k' };
    expect(await harness.ask('connections.save', draft)).toEqual(fail({ kind: 'no-connection' }));
    expect(await names()).toEqual([]);
  });

  it('says so when there is no room for a key', async () => {
    harness.local.limitTo(10);
    const draft = { ...draftOf('https://shop.example'), apiKey: 'k' };
    expect(await harness.ask('connections.save', draft)).toEqual(fail({ kind: 'storage-full' }));
    expect(await names()).toEqual([]);
  });
});

describe('deleting a connection', () => {
  it('can be undone, with its key, until its time is over', async () => {
    const { id } = await harness.connect('/market');
    await check(id);
    await harness.ask('connections.test', { id });
    const [{ keyWorkedAt } = {}] = await harness.ask('connections.list', {});
    expect(keyWorkedAt).toBeDefined();
    const deleted = await harness.ask('connections.delete', { id });
    expect(await names()).toEqual([]);
    expect(harness.session.dump()).not.toContain(known);
    harness.pass(undoMs - 1000);
    await harness.restart();
    expect(deleted.ok && deleted.value.undoUntil).toBeGreaterThan(Date.now());
    expect(await harness.ask('connections.restore', { id })).toMatchObject(
      succeed({ id, hasKey: true, keyWorkedAt }),
    );
    expect(await check(id)).toMatchObject({ outcome: { ok: true } });
  });

  it('removes what was checked last from the memory of the browser, once', async () => {
    const market = await harness.connect('/market');
    const recent = createRecentChecks(harness.session, () => Promise.resolve(true));
    const checked = [{ code: known, checks: [{ connectionId: market.id }] }];
    await recent.change(() => checked);
    await harness.ask('connections.delete', { id: market.id });
    expect(await recent.read()).toEqual([]);
    await recent.change(() => checked);
    harness.pass(undoMs);
    await harness.runAlarms();
    expect(await recent.read()).toEqual(checked);
  });

  it('says the same moment when asked twice', async () => {
    const { id } = await harness.connect('/market');
    const first = await harness.ask('connections.delete', { id });
    harness.pass(1000);
    expect(await harness.ask('connections.delete', { id })).toEqual(first);
  });

  it('takes key and origin with it when its time is over', async () => {
    const { id } = await harness.connect('/market');
    await harness.ask('connections.delete', { id });
    expect(harness.local.dump()).toContain(id);
    harness.pass(undoMs);
    await harness.runAlarms();
    expect(harness.local.dump()).not.toContain(id);
    expect(harness.granted.has('http://127.0.0.1/*')).toBe(false);
    expect(await harness.ask('connections.restore', { id })).toEqual(
      fail({ kind: 'no-connection' }),
    );
  });

  it('is ended by a worker that starts later', async () => {
    const { id } = await harness.connect('/market');
    await harness.ask('connections.delete', { id });
    harness.pass(undoMs);
    await harness.restart();
    expect(harness.local.dump()).not.toContain(id);
  });

  it('is ended anew where a worker was stopped in the middle of it', async () => {
    const { id } = await harness.connect('/market');
    await check(id);
    await expect.poll(() => harness.history.latest(9)).toHaveLength(1);
    await harness.ask('connections.delete', { id });
    harness.pass(undoMs);
    vi.spyOn(harness.items, 'forgetConnection').mockRejectedValueOnce(new Error('Stopped.'));
    await harness.restart();
    expect(await harness.history.latest(9)).toHaveLength(1);
    await harness.restart();
    expect(await harness.history.latest(9)).toEqual([]);
    expect(harness.local.dump()).not.toContain(id);
    expect(harness.granted).not.toContain('http://127.0.0.1/*');
  });

  it('keeps an origin that another connection uses', async () => {
    const { id } = await harness.connect('/market');
    await harness.connect('/demo');
    await harness.ask('connections.delete', { id });
    harness.pass(undoMs);
    await harness.runAlarms();
    expect(harness.granted.has('http://127.0.0.1/*')).toBe(true);
    expect(await names()).toEqual(['/demo']);
  });

  it('ends the plain User-Agent at its base address', async () => {
    const { id } = await harness.connect('/dialect/turns-browsers-away', {
      dialect: { ...defaultDialect, plainUserAgent: true },
    });
    expect(harness.ruled()).toHaveLength(1);
    await harness.ask('connections.delete', { id });
    expect(harness.ruled()).toEqual([]);
    await harness.ask('connections.restore', { id });
    expect(harness.ruled()).toHaveLength(1);
  });
});

describe('the order of connections', () => {
  it('is the agent’s', async () => {
    const a = await harness.connect('/market', { name: 'a' });
    const b = await harness.connect('/demo', { name: 'b' });
    const c = await harness.connect('/dialect/php', { name: 'c' });
    await harness.ask('connections.reorder', { ids: [c.id, 'nobody', a.id] });
    expect(await names()).toEqual(['c', 'a', 'b']);
    await harness.ask('connections.reorder', { ids: [b.id, c.id, a.id] });
    await harness.restart();
    expect(await names()).toEqual(['b', 'c', 'a']);
  });
});

describe('testing a connection', () => {
  it('brings the account', async () => {
    const { id } = await harness.connect('/market');
    const account = await harness.ask('connections.test', { id });
    expect(account.ok && account.value.email).toContain('@');
  });

  it('says that the key is wrong', async () => {
    const { id } = await harness.connect('/market', { apiKey: 'wrong' });
    expect(await harness.ask('connections.test', { id })).toMatchObject(
      fail({ kind: 'refused', about: 'key' }),
    );
  });

  it('needs a connection and a permission', async () => {
    expect(await harness.ask('connections.test', { id: 'nobody' })).toEqual(
      fail({ kind: 'no-connection' }),
    );
    const { id } = await harness.connect('/market');
    harness.granted.clear();
    expect(await harness.ask('connections.test', { id })).toMatchObject(
      fail({ kind: 'not-permitted' }),
    );
  });
});

describe('detecting a dialect', () => {
  it('finds the encoding and remembers it as proven', async () => {
    const { id } = await harness.connect('/dialect/json-only');
    expect(await harness.ask('connections.detect', { id, code: known })).toMatchObject(
      succeed({ keyPlacement: 'parameter', encoding: 'json', proven: true }),
    );
  });

  it('finds the header that a key belongs in', async () => {
    const { id } = await harness.connect('/dialect/header-only');
    expect(await harness.ask('connections.detect', { id, code: known })).toMatchObject(
      succeed({ keyPlacement: 'X-API-Key', proven: true }),
    );
    expect(await harness.ask('connections.list', {})).toMatchObject([
      { dialect: { keyPlacement: 'X-API-Key', proven: true } },
    ]);
  });

  it('gives the server’s own words when no way confirms the code', async () => {
    const { id } = await harness.connect('/market');
    const code = '00000000-1111-4222-8333-444444444444';
    expect(await harness.ask('connections.detect', { id, code })).toEqual(
      fail({ kind: 'refused', msg: 'Invalid purchase code', about: 'request' }),
    );
  });

  it('stops at what every way would meet', async () => {
    const { id } = await harness.connect('/dialect/api-off');
    expect(await harness.ask('connections.detect', { id, code: known })).toEqual(
      fail({ kind: 'api-off' }),
    );
    expect(await harness.requests()).toHaveLength(1);
  });
});
