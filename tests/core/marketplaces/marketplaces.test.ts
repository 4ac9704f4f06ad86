import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type MarketplaceId, marketplaceIds } from '#core/marketplaces/marketplace-id';
import { readValidationReply } from '#core/marketplaces/seller-api/reader';
import { succeed, fail } from '#core/result';
import { dayMs } from '#core/time/index';
import { factsOf } from '#core/verdict/index';
import english from '#locales/en/answer.json' with { type: 'json' };
import { codes as envatoCodes } from '#sandbox/marketplaces/envato';
import { codes as gumroadCodes } from '#sandbox/marketplaces/gumroad';
import { codes as lemonSqueezyCodes } from '#sandbox/marketplaces/lemon-squeezy';
import { codes as polarCodes } from '#sandbox/marketplaces/polar';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import { askingIn } from '#tests/core/marketplaces/asking';
import { askedCode, purchaseWire, rawReply } from '#tests/core/marketplaces/wire-examples';
import { openSandbox, type TestSandbox } from '#tests/support/sandbox';
import type { ItemId } from '#core/item-id';

const now = Date.now();
let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const asking = (marketplace: MarketplaceId, apiKey?: string) =>
  askingIn(sandbox, marketplace, apiKey, now);

/** Returns the part of a purchase that a verdict rests on. */
async function bought(marketplace: MarketplaceId, code: string, id?: ItemId) {
  const reply = await asking(marketplace).purchase(code, id);
  if (!reply.ok || reply.value.kind !== 'purchase') throw new Error(JSON.stringify(reply));
  return reply.value.purchase;
}

/** Returns a purchase with all that further requests tell; undefined where the code is of none. */
async function boughtWhole(marketplace: MarketplaceId, code: string) {
  const { purchase, ask } = asking(marketplace);
  const reply = await purchase(code);
  if (!reply.ok || reply.value.kind !== 'purchase') return undefined;
  const whole = (await reply.value.complete?.(ask)) ?? succeed(reply.value.purchase);
  return whole.ok ? whole.value : undefined;
}

test('each fact that has a label is told by the emulation of a marketplace', async () => {
  const wire = rawReply({ status: 'success', data: { purchase: purchaseWire() } });
  const sold = readValidationReply(wire, askedCode, now);
  const found = marketplaceIds.flatMap((id) =>
    Object.values(emulations[id].codes).map((code) => boughtWhole(id, code)),
  );
  const purchases = [
    ...(await Promise.all(found)),
    sold.ok && sold.value.kind === 'purchase' ? sold.value.purchase : undefined,
  ].filter((purchase) => purchase !== undefined);
  // What a problem says, no fact says again.
  const told = purchases.flatMap(({ problem: _problem, ...purchase }) =>
    [...factsOf(purchase, 'card'), ...factsOf(purchase, 'dialog')].map(({ name }) => name),
  );
  expect(new Set(told)).toEqual(new Set(Object.keys(english.answer.fact)));
});

const near = (at: number) => expect.closeTo(at, -5) as number;

describe('Envato Market', () => {
  const codes = envatoCodes;

  test.each([
    ['supported', 120],
    ['lapsed', -70],
    ['guest', 30],
  ] as const)('of a sale that is %s only supported_until tells the support', async (name, days) => {
    const purchase = await bought('envato', codes[name]);
    expect(purchase).toMatchObject({
      purchaseCode: codes[name],
      licenseType: 'Regular',
      supportedUntil: near(now + days * dayMs),
      item: { id: 17_022_701, name: 'Lighthouse', version: '3.1.0', price: { regular: 59 } },
    });
    expect(purchase).not.toHaveProperty('supportUnknown');
    // What the author earned is not what the buyer paid.
    expect(purchase).not.toHaveProperty('price');
  });

  test('a sale without support has none', async () => {
    expect(await bought('envato', codes.noSupport)).not.toHaveProperty('supportedUntil');
  });

  test('a buyer is named, and a guest is not', async () => {
    expect(await bought('envato', codes.supported)).toMatchObject({
      buyer: { name: 'harbourmaster' },
    });
    expect(await bought('envato', codes.guest)).not.toHaveProperty('buyer');
  });

  test('a code of nobody is not found, with the reason as it was given', async () => {
    expect(await asking('envato').purchase(codes.unknown)).toEqual(
      succeed({
        kind: 'not-found',
        msg: 'No sale belonging to the current user found with that code',
      }),
    );
  });

  test.each([
    ['wrong', undefined],
    ['limited', "View the user's items' sales history"],
    ['nameless', 'View your Envato Account username'],
  ] as const)('a %s token is a refused key; its account lacks %s', async (which, permission) => {
    const asked = asking(
      'envato',
      which === 'wrong' ? 'not-the-token' : sandbox.token('/envato', which),
    );
    const refused = { ok: false, fault: { kind: 'refused', about: 'key' } };
    if (which !== 'nameless') expect(await asked.purchase(codes.supported)).toMatchObject(refused);
    // The test of a connection must tell it before the first code does.
    const account = await asked.account();
    expect(account).toMatchObject(refused);
    expect(account).toHaveProperty(
      'fault',
      expect.objectContaining(permission === undefined ? {} : { permission }),
    );
    if (permission === undefined) expect(account).not.toHaveProperty('fault.permission');
  });

  test('the account is told as far as the token may see it', async () => {
    expect(await asking('envato').account()).toMatchObject(
      succeed({ username: 'fenwick', email: '', name: { full: 'Ada Fenwick' }, balance: 310.4 }),
    );
  });

  test('the items are those of the account, and one is asked for by its id', async () => {
    expect(await asking('envato').items()).toMatchObject(
      succeed({ items: [{ id: 17_022_701, media: { thumbnail: 'https://img.example/i.png' } }] }),
    );
    expect(await asking('envato').item(17_022_701)).toMatchObject(
      succeed({ kind: 'item', item: { name: 'Lighthouse' } }),
    );
    expect(await asking('envato').item(1)).toMatchObject(succeed({ kind: 'not-found' }));
  });
});

describe('Gumroad', () => {
  const codes = gumroadCodes;

  test('a key tells its buyer, its uses and its variant, and no support period', async () => {
    expect(await bought('gumroad', codes.genuine)).toMatchObject({
      supportUnknown: true,
      licenseType: 'Studio',
      price: 12,
      currency: 'USD',
      buyer: { name: 'Jo Marlin', email: 'buyer@harbour.example' },
      uses: { count: 3 },
      item: { id: 'A-m3CDDC5dlrSdKZp0RFhA==', name: 'Brush pack' },
    });
    expect(await bought('gumroad', codes.genuine)).not.toHaveProperty('problem');
  });

  test.each([
    ['refunded', { kind: 'refunded' }],
    ['disputed', { kind: 'disputed' }],
    ['chargedBack', { kind: 'charged-back' }],
    ['disabled', { kind: 'disabled' }],
    ['test', { kind: 'test' }],
    ['ended', { kind: 'ended', from: near(now - 9 * dayMs) }],
    ['cancelled', { kind: 'ended', from: near(now + 9 * dayMs) }],
  ] as const)('a key that is %s has that problem', async (name, problem) => {
    expect((await bought('gumroad', codes[name])).problem).toEqual(problem);
  });

  test('a key is not found for another product', async () => {
    expect(await asking('gumroad').purchase(codes.secondProduct)).toMatchObject(
      succeed({ kind: 'not-found' }),
    );
    const second = 'kL0psVL2admJSYRNs-OCMg==';
    expect(await bought('gumroad', codes.secondProduct, second)).toMatchObject({
      item: { id: second, name: 'Field recorder' },
    });
  });

  test('no look at a key raises its count of uses, and none carries the token', async () => {
    for (const code of Object.values(codes)) await asking('gumroad').purchase(code);
    expect(await bought('gumroad', codes.genuine)).toMatchObject({ uses: { count: 3 } });
    const asked = (await sandbox.requests()).filter(({ path }) => path.endsWith('/verify'));
    expect(asked.length).toBeGreaterThan(Object.keys(codes).length);
    for (const { body, headers } of asked) {
      expect(new URLSearchParams(body).get('increment_uses_count')).toBe('false');
      expect(headers).not.toHaveProperty('authorization');
    }
  });

  test('the products are read page by page', async () => {
    expect(await asking('gumroad').items()).toMatchObject(
      succeed({ items: [{ name: 'Brush pack' }, { name: 'Field recorder' }], unreadable: [] }),
    );
  });

  test.each([
    ['not-the-token', { msg: 'HTTP 401' }],
    ['limited', { msg: 'HTTP 403', permission: 'view_sales' }],
  ])('%s is a refused key, with an empty body', async (name, said) => {
    const asked = asking('gumroad', name === 'limited' ? sandbox.token('/gumroad', name) : name);
    const refused = { ok: false, fault: { kind: 'refused', about: 'key', ...said } };
    expect(await asked.items()).toEqual(refused);
    expect(await asked.account()).toEqual(refused);
  });

  test('the account and a product that is not there', async () => {
    expect(await asking('gumroad').account()).toMatchObject(
      succeed({ username: 'Ada Fenwick', email: 'ada@fenwick.example', currency: 'USD' }),
    );
    expect(await asking('gumroad').item('nobodys')).toEqual(
      succeed({ kind: 'not-found', msg: 'The product was not found.' }),
    );
  });
});

describe('Lemon Squeezy', () => {
  const codes = lemonSqueezyCodes;

  test.each(['active', 'inactive'] as const)('an %s key is genuine', async (name) => {
    const purchase = await bought('lemon-squeezy', codes[name]);
    expect(purchase).toMatchObject({
      supportUnknown: true,
      licenseType: 'Team',
      buyer: { name: 'Jo Marlin', email: 'buyer@harbour.example' },
      uses: { count: name === 'active' ? 2 : 0, limit: 5 },
      item: { id: 64, name: 'Ledgerline' },
    });
    expect(purchase).not.toHaveProperty('problem');
  });

  test.each([
    ['expired', { kind: 'expired', from: near(now - 12 * dayMs) }],
    ['disabled', { kind: 'disabled' }],
    ['test', { kind: 'test' }],
  ] as const)('a key that is %s has that problem, at any status of HTTP', async (name, problem) => {
    expect((await bought('lemon-squeezy', codes[name])).problem).toEqual(problem);
  });

  test('a key of another store is not ours', async () => {
    expect(await asking('lemon-squeezy').purchase(codes.otherStore)).toEqual(
      succeed({ kind: 'not-found', msg: '' }),
    );
  });

  test('a key that nobody knows is not found, and none is asked about with the API key', async () => {
    expect(await asking('lemon-squeezy').purchase(codes.unknown)).toEqual(
      succeed({ kind: 'not-found', msg: 'license_key not found.' }),
    );
    const [request] = await sandbox.requests();
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  test('the account, its products and one of them', async () => {
    const asked = asking('lemon-squeezy');
    expect(await asked.account()).toMatchObject(succeed({ username: 'Ada Fenwick' }));
    expect(await asked.items()).toMatchObject(
      succeed({ items: [{ id: 64, price: { regular: 49 } }] }),
    );
    expect(await asked.item(64)).toMatchObject(succeed({ kind: 'item' }));
    expect(await asked.item(65)).toMatchObject(succeed({ kind: 'not-found' }));
    expect(await asking('lemon-squeezy', 'wrong').account()).toEqual(
      fail({ kind: 'refused', msg: 'Unauthenticated.', about: 'key' }),
    );
  });
});

describe('Polar', () => {
  const codes = polarCodes;
  const whole = async (code: string, apiKey?: string) => {
    const asked = asking('polar', apiKey);
    const reply = await asked.purchase(code);
    if (!reply.ok || reply.value.kind !== 'purchase') throw new Error(JSON.stringify(reply));
    const { complete, purchase } = reply.value;
    const completed = await complete?.(asked.ask);
    return completed?.ok === true ? completed.value : purchase;
  };

  test('a key tells its buyer and its uses, its order the product and the price', async () => {
    expect(await whole(codes.limited)).toMatchObject({
      purchaseCode: codes.limited,
      supportUnknown: true,
      date: near(now - 200 * dayMs),
      buyer: { name: 'Jo Marlin', email: 'buyer@harbour.example' },
      uses: { count: 40, limit: 100 },
      price: 39,
      currency: 'USD',
      item: { name: 'Tideline' },
    });
    expect(await whole(codes.granted)).not.toHaveProperty('itemUnknown');
    expect(await whole(codes.granted)).not.toHaveProperty('uses');
  });

  test.each([
    ['granted', undefined],
    ['revoked', { kind: 'disabled' }],
    ['disabled', { kind: 'disabled' }],
    ['expired', { kind: 'expired' }],
    ['runsOut', { kind: 'expired', from: near(now + 90 * dayMs) }],
    ['refunded', { kind: 'refunded' }],
    ['withoutOrder', undefined],
  ] as const)('of a key that is %s the problem is %j', async (name, problem) => {
    expect((await whole(codes[name])).problem).toEqual(problem);
  });

  test('a part that was refunded is told', async () => {
    expect(await whole(codes.partlyRefunded)).toMatchObject({ partlyRefunded: true });
  });

  test('without a key of the seller’s a code is answered for, and its product is not told', async () => {
    expect(await whole(codes.granted, '')).toMatchObject({
      itemUnknown: true,
      item: { name: 'Benefit 8d4c7a10' },
    });
    expect(await asking('polar', '').account()).toMatchObject(succeed({ username: '' }));
    expect(await asking('polar', '').items()).toHaveProperty('fault.kind', 'no-key');
    expect(await sandbox.requests()).toHaveLength(2);
  });

  test.each(['otherOrganization', 'unknown'] as const)(
    'a key that is %s is not ours',
    async (name) => {
      expect(await asking('polar').purchase(codes[name])).toEqual(
        succeed({ kind: 'not-found', msg: 'Not found' }),
      );
    },
  );

  test.each([
    ['limited', 'orders:read'],
    ['nameless', 'organizations:read'],
  ])('a token that is %s is told to lack %s', async (kind, permission) => {
    expect(await asking('polar', sandbox.token('/polar', kind)).account()).toMatchObject(
      fail({ kind: 'refused', about: 'key', permission }),
    );
  });

  test('the account, its products and one of them', async () => {
    const asked = asking('polar');
    expect(await asked.account()).toMatchObject(succeed({ username: 'Fenwick' }));
    const id = 'b51e0c77-4a86-4d39-a2f0-5e9b61c3d870';
    expect(await asked.items()).toMatchObject(succeed({ items: [{ id }] }));
    expect(await asked.item(id)).toMatchObject(succeed({ kind: 'item' }));
    expect(await asked.item('nobodys')).toMatchObject(succeed({ kind: 'not-found' }));
    expect(await asking('polar', 'wrong').account()).toMatchObject(
      fail({ kind: 'refused', about: 'key' }),
    );
  });
});

describe.each(['envato', 'gumroad', 'lemon-squeezy', 'polar'] as const)('at %s', (marketplace) => {
  const [code] = Object.values(emulations[marketplace].codes);

  test('a wait that is asked for is a rate limit until then', async () => {
    await sandbox.injectFault(`/${marketplace}`, { fault: 'too-many-429', retryAfter: 7 });
    expect(await asking(marketplace).purchase(code ?? '')).toEqual(
      fail({ kind: 'rate-limited', retryAt: now + 7000, by: 'server' }),
    );
  });

  test.each([
    ['html-500', 'server-error'],
    ['busy-503', 'server-error'],
    ['truncated', 'not-json'],
  ] as const)('%s is the fault %s and no verdict', async (fault, kind) => {
    await sandbox.injectFault(`/${marketplace}`, { fault });
    expect(await asking(marketplace).purchase(code ?? '')).toMatchObject(fail({ kind }));
  });
});

// Of Polar no verdict rests on a number or a flag.
test.each(['envato', 'gumroad', 'lemon-squeezy'] as const)(
  'a purchase of %s with values of other types is unreadable',
  async (marketplace) => {
    const [code] = Object.values(emulations[marketplace].codes);
    await sandbox.injectFault(`/${marketplace}`, { fault: 'wrong-types' });
    expect(await asking(marketplace).purchase(code ?? '')).toMatchObject(
      fail({ kind: 'unreadable' }),
    );
  },
);
