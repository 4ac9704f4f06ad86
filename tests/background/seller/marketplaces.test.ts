import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { type MarketplaceId, marketplaceIds } from '#core/marketplaces/marketplace-id';
import { fail, succeed } from '#core/result';
import { codes as eddCodes } from '#sandbox/marketplaces/easy-digital-downloads';
import { codes as envatoCodes } from '#sandbox/marketplaces/envato';
import { codes as gumroadCodes } from '#sandbox/marketplaces/gumroad';
import { codes as lemonSqueezyCodes, store as ownStore } from '#sandbox/marketplaces/lemon-squeezy';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import { codes as polarCodes, store as organization } from '#sandbox/marketplaces/polar';
import { countingUpstream } from '#tests/relay/support/counting-upstream';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';
import { exportRecordOf, rowsFor } from '#core/jobs/index';

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

/** Saves a connection to one of the sandbox's marketplaces. */
async function connect(marketplace: MarketplaceId, apiKey?: string, requestsPerMinute = 60) {
  const base = `/${marketplace}` as const;
  const saved = await harness.ask('connections.save', {
    name: marketplace,
    marketplace,
    ...(marketplace === 'lemon-squeezy' && { store: ownStore }),
    baseAddress: harness.sandbox.origin + base,
    apiKey: apiKey ?? harness.sandbox.tokens[base].whole,
    dialect: { ...defaultDialect, keyPlacement: 'Authorization', requestsPerMinute },
  });
  if (!saved.ok) throw new Error(saved.fault.kind);
  return saved.value;
}

const check = async (connectionId: string, code: string) =>
  (await harness.ask('check', { connectionId, code, fresh: false })).outcome;

/** Returns the verifications since the last call. */
const verifications = async () =>
  (await harness.requests())
    .filter(({ path }) => path.endsWith('/v2/licenses/verify'))
    .map(({ body }) => new URLSearchParams(body));

test('a connection keeps its marketplace and its store, and lists its items', async () => {
  const { id } = await connect('lemon-squeezy');
  const [listed] = await harness.ask('connections.list', {});
  expect(listed).toMatchObject({ marketplace: 'lemon-squeezy', store: ownStore });
  expect(await harness.ask('connections.test', { id })).toMatchObject({ ok: true });
  expect(await harness.ask('items.all', { connectionId: id })).toMatchObject(succeed({ count: 1 }));
});

test('where none is needed a code is checked without a key, and with one its item is told', async () => {
  const draft = {
    name: 'Polar',
    marketplace: 'polar',
    store: organization,
    baseAddress: `${harness.sandbox.origin}/polar`,
    dialect: { ...defaultDialect, keyPlacement: 'Authorization' },
  } as const;
  const saved = await harness.ask('connections.save', draft);
  const id = saved.ok ? saved.value.id : '';
  expect(await harness.ask('connections.test', { id })).toMatchObject({ ok: true });
  const purchase = { itemUnknown: true, item: { name: 'Benefit 8d4c7a10' } };
  expect(await check(id, polarCodes.granted)).toMatchObject(succeed({ purchase }));
  // What needs a key is not asked.
  expect(await harness.ask('items.all', { connectionId: id })).toEqual(
    fail({ kind: 'no-key', reason: 'never-entered' }),
  );
  const asked = await harness.requests();
  expect(asked.map(({ path }) => path.split('/').at(-1))).toEqual(['validate', 'validate']);
  expect(JSON.stringify(asked)).not.toContain('authorization');
  await harness.ask('connections.save', {
    ...draft,
    id,
    apiKey: harness.sandbox.tokens['/polar'].whole,
  });
  expect(await check(id, polarCodes.granted)).toMatchObject(
    succeed({ purchase: { item: { name: 'Tideline' } } }),
  );
});

test('a key that a shop tells with its item alone is asked about by product, an unknown one once', async () => {
  const saved = await harness.ask('connections.save', {
    name: 'Shop',
    marketplace: 'easy-digital-downloads',
    baseAddress: `${harness.sandbox.origin}/easy-digital-downloads`,
    dialect: { ...defaultDialect, keyPlacement: 'Authorization' },
  });
  const id = saved.ok ? saved.value.id : '';
  expect(await check(id, eddCodes.wantsItem)).toMatchObject(
    succeed({ purchase: { item: { id: 712, name: 'Harbour Forms' } } }),
  );
  expect(await check(id, eddCodes.expiredOfItem)).toMatchObject(
    succeed({ purchase: { problem: { kind: 'expired' } } }),
  );
  await harness.requests();
  expect(await check(id, eddCodes.unknown)).toMatchObject(succeed({ kind: 'not-found' }));
  expect(await harness.requests()).toHaveLength(1);
});

test.each(marketplaceIds)('what repeats the key of %s is shown without it', async (id) => {
  const seller = await countingUpstream();
  const token = 'canary-token-of-nobody';
  const body = { path: '/', error: { message: `Not allowed: ${token}` }, request: { token } };
  seller.replyWith({ status: 401, body: JSON.stringify(body) });
  const { store, codes } = emulations[id];
  const saved = await harness.ask('connections.save', {
    name: id,
    marketplace: id,
    ...(store !== undefined && { store }),
    baseAddress: seller.origin,
    apiKey: `public:${token}`,
    dialect: { ...defaultDialect, keyPlacement: 'Authorization' },
  });
  const connectionId = saved.ok ? saved.value.id : '';
  const told = [
    await harness.ask('connections.test', { id: connectionId }),
    await check(connectionId, Object.values(codes)[0] ?? ''),
    await harness.ask('items.all', { connectionId }),
  ];
  expect(JSON.stringify(told)).toContain('Not allowed: ••••');
  expect(JSON.stringify(told)).not.toContain(token);
  await seller.close();
});

describe('a store that is not the account’s', () => {
  async function connectStore(store: string, requestsPerMinute = 60) {
    const saved = await harness.ask('connections.save', {
      name: 'Another store',
      marketplace: 'lemon-squeezy',
      store,
      baseAddress: `${harness.sandbox.origin}/lemon-squeezy`,
      apiKey: harness.sandbox.tokens['/lemon-squeezy'].whole,
      dialect: { ...defaultDialect, keyPlacement: 'Authorization', requestsPerMinute },
    });
    if (!saved.ok) throw new Error(saved.fault.kind);
    return harness.ask('connections.test', { id: saved.value.id });
  }

  test('is found by a test, which offers the stores by their names', async () => {
    expect(await connectStore('999')).toMatchObject(
      succeed({
        username: 'Ada Fenwick',
        stores: [
          { id: ownStore, name: 'Fenwick' },
          { id: '4712', name: 'Fenwick Sounds' },
        ],
      }),
    );
  });

  test('is not said of any of its stores, nor where they could not be listed', async () => {
    for (const tested of [await connectStore('4712'), await connectStore('999', 1)]) {
      expect(tested).toMatchObject(succeed({ username: 'Ada Fenwick' }));
      expect(tested).not.toHaveProperty('value.stores');
    }
  });
});

describe('a code is checked at', () => {
  test.each([
    ['envato', envatoCodes.supported],
    ['gumroad', gumroadCodes.genuine],
    ['lemon-squeezy', lemonSqueezyCodes.active],
  ] as const)('%s', async (marketplace, code) => {
    const { id } = await connect(marketplace);
    expect(await check(id, code)).toMatchObject(succeed({ kind: 'purchase' }));
  });
});

test('a token that lacks a permission is refused, and no code is missing', async () => {
  const { id } = await connect('envato', harness.sandbox.token('/envato', 'limited'));
  expect(await check(id, envatoCodes.supported)).toMatchObject(
    fail({
      kind: 'refused',
      about: 'key',
      permission: "View the user's items' sales history",
    }),
  );
});

test('a token that was revoked lacks no permission', async () => {
  const { id } = await connect('envato', 'not-the-token');
  const outcome = await check(id, envatoCodes.supported);
  expect(outcome).toMatchObject(fail({ kind: 'refused', about: 'key' }));
  expect(outcome).not.toHaveProperty('fault.permission');
});

test('a not-found needs no other proof where a refused key has an answer of its own', async () => {
  const { id } = await connect('envato');
  expect(await check(id, envatoCodes.unknown)).toMatchObject(
    succeed({ kind: 'not-found', key: 'good', proven: true }),
  );
  expect((await harness.requests()).map(({ path }) => path)).toEqual([
    '/envato/v3/market/author/sale',
  ]);
});

test('the order of a key tells its price and a refund', async () => {
  const { id } = await connect('lemon-squeezy');
  expect(await check(id, lemonSqueezyCodes.euro)).toMatchObject({
    value: { purchase: { price: 45, currency: 'EUR' } },
  });
  expect(await check(id, lemonSqueezyCodes.refunded)).toMatchObject({
    value: { purchase: { problem: { kind: 'refunded' } } },
  });
  const paths = (await harness.requests()).map(({ path }) => path.replace(/\d+$/u, ''));
  expect(paths.slice(0, 2)).toEqual([
    '/lemon-squeezy/v1/licenses/validate',
    '/lemon-squeezy/v1/orders/',
  ]);
});

test('a key that may see sales is looked up at once, whichever product it is for', async () => {
  const { id } = await connect('gumroad');
  const codes = gumroadCodes;
  expect(await check(id, codes.secondProduct)).toMatchObject(
    succeed({ kind: 'purchase', purchase: { item: { name: 'Field recorder' } } }),
  );
  expect((await harness.requests()).map(({ path }) => path.split('?')[0])).toEqual([
    '/gumroad/v2/sales',
    '/gumroad/v2/licenses/verify',
  ]);
  expect(await check(id, codes.refundedInFull)).toMatchObject({
    value: { purchase: { problem: { kind: 'refunded' } } },
  });
  expect(await check(id, codes.seats)).toMatchObject({
    value: { purchase: { seats: 4, uses: { count: 3 } } },
  });
  expect(await check(id, codes.accessWithdrawn)).toMatchObject({
    value: { purchase: { problem: { kind: 'disabled' } } },
  });
  // A purchase in test mode is in no list of sales.
  expect(await check(id, codes.test)).toMatchObject({
    value: { purchase: { problem: { kind: 'test' } } },
  });
});

describe('where each product is asked for itself', () => {
  const codes = gumroadCodes;
  const itemwise = () => harness.sandbox.tokens['/gumroad']['withoutSales'] ?? '';

  test('they are asked one after the other, and the one that was found last is asked first', async () => {
    const { id } = await connect('gumroad', itemwise());
    expect(await check(id, codes.secondProduct)).toMatchObject(
      succeed({ purchase: { item: { name: 'Field recorder' } } }),
    );
    expect((await verifications()).map((form) => form.get('product_id'))).toEqual([
      'A-m3CDDC5dlrSdKZp0RFhA==',
      'kL0psVL2admJSYRNs-OCMg==',
    ]);
    expect(await check(id, codes.unknown)).toMatchObject(succeed({ kind: 'not-found' }));
    expect((await verifications()).map((form) => form.get('product_id'))).toEqual([
      'kL0psVL2admJSYRNs-OCMg==',
      'A-m3CDDC5dlrSdKZp0RFhA==',
    ]);
  });

  test('the item that the code should be for is asked about first', async () => {
    const { id } = await connect('gumroad', itemwise());
    const request = { connectionId: id, code: codes.secondProduct, fresh: false };
    const expectedItemId = 'kL0psVL2admJSYRNs-OCMg==';
    expect(await harness.ask('check', { ...request, expectedItemId })).toMatchObject({
      outcome: succeed({ kind: 'purchase' }),
    });
    expect((await verifications()).map((form) => form.get('product_id'))).toEqual([expectedItemId]);
  });

  test('a page that asks in steps is told how far the search is, and it goes on', async () => {
    const { id } = await connect('gumroad', itemwise());
    // The list of products is asked for as well, page by page.
    await harness.injectFault({ base: '/gumroad', fault: 'latency', ms: 1600, times: 3 });
    const request = {
      connectionId: id,
      code: codes.secondProduct,
      fresh: true,
      withProgress: true,
    };
    expect(await harness.ask('check', request)).toMatchObject({
      outcome: fail({ kind: 'rate-limited', by: 'pacing', search: { asked: 1, of: 2 } }),
    });
    expect(await harness.ask('check', request)).toMatchObject({
      outcome: succeed({ kind: 'purchase' }),
    });
    expect((await verifications()).map((form) => form.get('product_id'))).toEqual([
      'A-m3CDDC5dlrSdKZp0RFhA==',
      'kL0psVL2admJSYRNs-OCMg==',
    ]);
  });

  test('two searches that take turns forget nothing of each other', async () => {
    const { id } = await connect('gumroad', itemwise());
    await harness.injectFault({ base: '/gumroad', fault: 'latency', ms: 1600, times: 6 });
    const step = async (code: string) =>
      (await harness.ask('check', { connectionId: id, code, fresh: true, withProgress: true }))
        .outcome;
    const interrupted = { ok: false, fault: { search: { asked: 1, of: 2 } } };
    expect(await step(codes.secondProduct)).toMatchObject(interrupted);
    expect(await step(codes.unknown)).toMatchObject(interrupted);
    expect(await step(codes.secondProduct)).toMatchObject({ ok: true });
    expect((await verifications()).map((form) => form.get('license_key'))).toEqual([
      codes.secondProduct,
      codes.unknown,
      codes.secondProduct,
    ]);
  });

  test('a bulk check asks about the expected item first, row by row, and tells how far it is', async () => {
    const { id } = await connect('gumroad', itemwise());
    const job = {
      id: crypto.randomUUID(),
      name: '',
      createdAt: Date.now(),
      connectionIds: [id],
      state: 'running' as const,
      expectedItemId: 'kL0psVL2admJSYRNs-OCMg==',
    };
    const collected = [codes.genuine, codes.secondProduct].map((code, at) => ({
      code,
      line: at + 1,
      times: 1,
    }));
    await harness.jobs.add(job, rowsFor(job.id, collected, [id]));
    await harness.injectFault({ base: '/gumroad', fault: 'latency', ms: 1600, times: 4 });
    for (let runs = 0; runs < 3; runs += 1) await harness.ask('bulk.drive', {});
    expect((await harness.jobs.rows(job.id)).map(({ outcome }) => outcome)).toMatchObject([
      succeed({ kind: 'purchase' }),
      succeed({ kind: 'purchase' }),
    ]);
    const asked = (await verifications()).map((form) => [
      form.get('license_key'),
      form.get('product_id'),
    ]);
    expect(asked).toEqual([
      [codes.genuine, 'kL0psVL2admJSYRNs-OCMg=='],
      [codes.genuine, 'A-m3CDDC5dlrSdKZp0RFhA=='],
      [codes.secondProduct, 'kL0psVL2admJSYRNs-OCMg=='],
    ]);
    expect(harness.news).toContainEqual({
      kind: 'wait',
      connectionId: id,
      fault: expect.objectContaining({ search: { asked: 1, of: 2 } }) as object,
      until: expect.any(Number) as number,
    });
  });

  test('the buyer is shown to the agent, and kept in no history and in no bulk check', async () => {
    const { id } = await connect('gumroad', itemwise());
    const outcome = await check(id, codes.genuine);
    expect(outcome).toMatchObject({ value: { purchase: { buyer: { name: 'Jo Marlin' } } } });
    const [entry] = await harness.history.latest(1);
    expect(entry).toMatchObject({ connectionId: id });
    const job = {
      id: crypto.randomUUID(),
      name: '',
      createdAt: Date.now(),
      connectionIds: [id],
      state: 'running' as const,
    };
    await harness.jobs.add(
      job,
      rowsFor(job.id, [{ code: codes.genuine, line: 1, times: 1 }], [id]),
    );
    await harness.ask('bulk.drive', {});
    const [row] = await harness.jobs.rows(job.id);
    expect(row).toMatchObject({ outcome: succeed({ kind: 'purchase' }) });
    const exported = exportRecordOf({ state: 'done' }, row ?? expect.unreachable(), {
      masked: false,
      now: Date.now(),
      connectionName: 'Gumroad',
      sentence: null,
    });
    expect(JSON.stringify([entry, row, exported])).not.toMatch(/Marlin|harbour/u);
  });

  test('under a low limit the search goes on where it was', async () => {
    // Two pages of products and one verification fit into a minute.
    const { id } = await connect('gumroad', itemwise(), 3);
    expect(await check(id, codes.secondProduct)).toMatchObject(
      fail({ kind: 'rate-limited', by: 'pacing' }),
    );
    harness.pass(61_000);
    expect(await check(id, codes.secondProduct)).toMatchObject(succeed({ kind: 'purchase' }));
    expect((await verifications()).map((form) => form.get('product_id'))).toEqual([
      'A-m3CDDC5dlrSdKZp0RFhA==',
      'kL0psVL2admJSYRNs-OCMg==',
    ]);
  });

  test('a key with O typed for 0 is found in the spelling of the place', async () => {
    const { id } = await connect('gumroad', itemwise());
    const code = codes.genuine.replaceAll('0', 'O');
    expect(await harness.ask('check', { connectionId: id, code, fresh: false })).toMatchObject({
      foundSpelling: codes.genuine,
      outcome: succeed({ kind: 'purchase' }),
    });
  });
});
