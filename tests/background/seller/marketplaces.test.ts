import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { defaultDialect } from '#core/connections/connection';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { marketplaceCodes, ownStore } from '#sandbox/marketplaces/codes';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';

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
  expect(await harness.ask('items.all', { connectionId: id })).toMatchObject({
    ok: true,
    value: { count: 1 },
  });
});

describe('a code is checked at', () => {
  test.each([
    ['envato', marketplaceCodes['/envato'].supported],
    ['gumroad', marketplaceCodes['/gumroad'].genuine],
    ['lemon-squeezy', marketplaceCodes['/lemon-squeezy'].active],
  ] as const)('%s', async (marketplace, code) => {
    const { id } = await connect(marketplace);
    expect(await check(id, code)).toMatchObject({ ok: true, value: { kind: 'purchase' } });
  });
});

test('a token that lacks a permission is refused, and no code is missing', async () => {
  const { id } = await connect('envato', harness.sandbox.tokens['/envato'].limited);
  expect(await check(id, marketplaceCodes['/envato'].supported)).toMatchObject({
    ok: false,
    fault: {
      kind: 'refused',
      about: 'key',
      permission: "View the user's items' sales history",
    },
  });
});

test('a token that was revoked lacks no permission', async () => {
  const { id } = await connect('envato', 'not-the-token');
  const outcome = await check(id, marketplaceCodes['/envato'].supported);
  expect(outcome).toMatchObject({ ok: false, fault: { kind: 'refused', about: 'key' } });
  expect(outcome).not.toHaveProperty('fault.permission');
});

test('a not-found needs no other proof where a refused key has an answer of its own', async () => {
  const { id } = await connect('envato');
  expect(await check(id, marketplaceCodes['/envato'].unknown)).toMatchObject({
    ok: true,
    value: { kind: 'not-found', key: 'good', proven: true },
  });
  expect((await harness.requests()).map(({ path }) => path)).toEqual([
    '/envato/v3/market/author/sale',
  ]);
});

describe('where each product is asked for itself', () => {
  const codes = marketplaceCodes['/gumroad'];

  test('they are asked one after the other, and the one that was found last is asked first', async () => {
    const { id } = await connect('gumroad');
    expect(await check(id, codes.secondProduct)).toMatchObject({
      ok: true,
      value: { purchase: { item: { name: 'Field recorder' } } },
    });
    expect((await verifications()).map((form) => form.get('product_id'))).toEqual([
      'A-m3CDDC5dlrSdKZp0RFhA==',
      'kL0psVL2admJSYRNs-OCMg==',
    ]);
    expect(await check(id, codes.unknown)).toMatchObject({
      ok: true,
      value: { kind: 'not-found' },
    });
    expect((await verifications()).map((form) => form.get('product_id'))).toEqual([
      'kL0psVL2admJSYRNs-OCMg==',
      'A-m3CDDC5dlrSdKZp0RFhA==',
    ]);
  });

  test('under a low limit the search goes on where it was', async () => {
    // Two pages of products and one verification fit into a minute.
    const { id } = await connect('gumroad', undefined, 3);
    expect(await check(id, codes.secondProduct)).toMatchObject({
      ok: false,
      fault: { kind: 'rate-limited', by: 'pacing' },
    });
    harness.pass(61_000);
    expect(await check(id, codes.secondProduct)).toMatchObject({
      ok: true,
      value: { kind: 'purchase' },
    });
    expect((await verifications()).map((form) => form.get('product_id'))).toEqual([
      'A-m3CDDC5dlrSdKZp0RFhA==',
      'kL0psVL2admJSYRNs-OCMg==',
    ]);
  });

  test('a key typed in small letters is found in the spelling of the place', async () => {
    const { id } = await connect('gumroad');
    const code = codes.genuine.toLowerCase();
    expect(await harness.ask('check', { connectionId: id, code, fresh: false })).toMatchObject({
      foundAs: codes.genuine,
      outcome: { ok: true, value: { kind: 'purchase' } },
    });
  });
});
