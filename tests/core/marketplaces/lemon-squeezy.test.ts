import { describe, expect, test } from 'vitest';

import { lemonSqueezy } from '#core/marketplaces/lemon-squeezy/reader';
import { fail, succeed } from '#core/result';
import { accessTo, answering, nothingMore } from '#tests/core/marketplaces/market-answers';
import type { RawReply } from '#core/http/exchange';
import { rawReply, type Wire } from '#tests/core/marketplaces/wire-examples';

const code = '38B1460A-5104-4067-A91D-77B872934D51';
const keyWire = {
  id: 1,
  key: code,
  status: 'active',
  created_at: '2026-01-05T10:00:00Z',
  expires_at: null,
};
const metaWire = { store_id: 3, product_id: 64, product_name: 'Ledgerline' };

/** Reads the answer about a key as that of store 3. */
function validated(
  { key = {}, meta = {}, ...body }: { key?: Wire; meta?: Wire; [name: string]: unknown },
  status = 200,
) {
  const sent = {
    valid: true,
    license_key: { ...keyWire, ...key },
    meta: { ...metaWire, ...meta },
    ...body,
  };
  const now = Date.UTC(2026, 5, 1);
  const reply = lemonSqueezy.purchase(code, { store: '3' }).read(rawReply(sent, status), now);
  if (!reply.ok) return reply.fault;
  return reply.value.kind === 'purchase' ? reply.value.purchase : reply.value;
}

test('stores are listed by number and name', () => {
  const wire = { type: 'stores', id: '12', attributes: { name: 'Harbour', slug: 'harbour' } };
  const read = (body: unknown) => lemonSqueezy.stores?.read(rawReply(body, 200), 0);
  expect(read({ data: [wire, { ...wire, id: '7', attributes: { name: 'Mole' } }] })).toEqual(
    succeed([
      { id: '12', name: 'Harbour' },
      { id: '7', name: 'Mole' },
    ]),
  );
  expect(read({ data: [{ id: 12 }] })).toHaveProperty('fault.path', 'data.0.attributes');
  expect(read({ data: 'none' })).toHaveProperty('fault.path', 'data');
});

describe('a key', () => {
  test('tells what was bought, by whom and how often it was used', () => {
    expect(
      validated({
        key: { activation_usage: 2, activation_limit: 5 },
        meta: {
          variant_name: 'Team',
          customer_name: 'Jo Marlin',
          customer_email: 'jo@harbour.example',
        },
      }),
    ).toStrictEqual({
      purchaseCode: code,
      licenseType: 'Team',
      currency: '',
      item: { id: 64, name: 'Ledgerline', ...nothingMore },
      date: Date.UTC(2026, 0, 5, 10),
      supportUnknown: true,
      buyer: { name: 'Jo Marlin', email: 'jo@harbour.example' },
      uses: { count: 2, limit: 5 },
    });
  });

  test('tells no more than was said', () => {
    const purchase = validated({});
    for (const name of ['buyer', 'uses', 'problem', 'price', 'supportedUntil'])
      expect(purchase).not.toHaveProperty(name);
    expect(purchase).toHaveProperty('licenseType', '');
  });

  test('without limit is used without limit', () => {
    expect(validated({ key: { activation_usage: 2, activation_limit: null } })).toHaveProperty(
      'uses',
      { count: 2 },
    );
  });

  test('of a product without variants has no kind of license', () => {
    expect(validated({ meta: { variant_name: 'Default' } })).toHaveProperty('licenseType', '');
  });

  test.each([
    [{ status: 'inactive' }, undefined],
    [{ status: 'disabled' }, { kind: 'disabled' }],
    [
      { status: 'expired', expires_at: '2026-02-01T00:00:00Z' },
      { kind: 'expired', from: Date.UTC(2026, 1, 1) },
    ],
    // Its status counts, also where this clock or that of the service is wrong.
    [{ status: 'expired', expires_at: '2026-07-01T00:00:00Z' }, { kind: 'expired' }],
    [{ status: 'expired', expires_at: null }, { kind: 'expired' }],
    [{ status: 'disabled', test_mode: true }, { kind: 'disabled' }],
    [{ test_mode: true }, { kind: 'test' }],
    [{ test_mode: false }, undefined],
    // It runs until then.
    [{ expires_at: '2027-02-01T00:00:00Z' }, { kind: 'expired', from: Date.UTC(2027, 1, 1) }],
  ])('with %j has the problem %j', (key, problem) => {
    expect((validated({ key }) as { problem?: object }).problem).toEqual(problem);
  });

  test.each([
    ['expires_at', 'soon'],
    ['test_mode', 'perhaps'],
  ])('with %s as %j is no verdict', (name, value) => {
    expect(validated({ key: { [name]: value } })).toEqual({
      kind: 'unreadable',
      path: `license_key.${name}`,
    });
  });

  test.each([
    [{ key: { status: 'paused' } }, 'license_key.status'],
    [{ meta: { store_id: null } }, 'meta.store_id'],
    [{ meta: { product_name: null } }, 'meta.product_name'],
  ])('with %j cannot be read', (body, path) => {
    expect(validated(body)).toEqual({ kind: 'unreadable', path });
  });

  test('of which nobody says when it was made is one all the same', () => {
    expect(validated({ key: { created_at: null } })).not.toHaveProperty('date');
  });

  test('that is another one is not shown', () => {
    expect(validated({ key: { key: '00000000-5104-4067-A91D-77B872934D51' } })).toEqual({
      kind: 'mismatch',
    });
    expect(validated({ key: { key: code.toLowerCase() } })).toHaveProperty(
      'purchaseCode',
      code.toLowerCase(),
    );
  });

  test.each(['33', '0', 4])('of the store %j is not ours', (store) => {
    expect(validated({ meta: { store_id: store } })).toEqual({ kind: 'not-found', msg: '' });
  });

  test('belongs to no account where the connection names no store', () => {
    const sent = rawReply({ valid: true, license_key: keyWire, meta: metaWire });
    expect(lemonSqueezy.purchase(code, {}).read(sent, 0)).toEqual(
      succeed({ kind: 'not-found', msg: '' }),
    );
  });

  test.each([
    ['of which nothing is wrong', {}],
    ['that runs on for a while', { expires_at: '2027-02-01T00:00:00Z' }],
  ])('%s, and that is refused, is no verdict', (_, key) => {
    expect(validated({ key, valid: false, error: 'Odd.' })).toEqual({
      kind: 'refused',
      msg: 'Odd.',
      about: 'request',
    });
  });

  test.each([200, 400, 404])(
    'that is refused for what its status tells has it, at %i',
    (status) => {
      const refused = { valid: false, error: 'This license key has expired.' };
      expect(validated({ key: { status: 'expired' }, ...refused }, status)).toHaveProperty(
        'problem',
        { kind: 'expired' },
      );
    },
  );

  test.each([
    [404, { ok: true, value: { kind: 'not-found', msg: 'Odd.' } }],
    [400, { ok: false, fault: { kind: 'refused', msg: 'Odd.', about: 'request' } }],
    [422, { ok: false, fault: { kind: 'refused', msg: 'Odd.', about: 'request' } }],
  ])('of which nothing is told is at %i %j', (status, result) => {
    const raw = rawReply({ valid: false, error: 'Odd.', license_key: null }, status);
    expect(lemonSqueezy.purchase(code, { store: '3' }).read(raw, 0)).toEqual(result);
  });
});

test.each([
  [200, { valid: false, error: 'license_key not found.' }],
  [404, { error: 'license_key not found.' }],
])('a key that is not found is told by its sentence, at %i in %j', (status, body) => {
  expect(lemonSqueezy.purchase(code, { store: '3' }).read(rawReply(body, status), 0)).toEqual(
    succeed({ kind: 'not-found', msg: 'license_key not found.' }),
  );
});

describe('the order of a key', () => {
  const completed = async (raw: RawReply) => {
    const { ask, sent } = answering(() => raw);
    const meta = { ...metaWire, order_id: 77 };
    const key = rawReply({ valid: true, license_key: keyWire, meta });
    const reply = lemonSqueezy.purchase(code, { store: '3' }).read(key, 0);
    if (!reply.ok || reply.value.kind === 'not-found') throw new Error('the key is not read');
    const { complete, purchase } = reply.value;
    const told = await complete?.(ask);
    return { told: purchase, reply: told, urls: sent.map(({ url }) => url), complete };
  };
  const order = (attributes: Wire) => rawReply({ data: { id: '77', attributes } });

  test('tells what was paid, in its currency', async () => {
    const { reply, urls } = await completed(
      order({ total: 6345, currency: 'EUR', refunded: false }),
    );
    expect(urls).toEqual(['https://market.test/v1/orders/77']);
    expect(reply).toMatchObject({ value: { price: 63.45, currency: 'EUR' } });
    expect(reply).not.toHaveProperty('value.problem');
  });

  test.each([
    [{ refunded: true, refunded_amount: 900 }, { problem: { kind: 'refunded' } }],
    [{ refunded: false, refunded_amount: 900 }, { partlyRefunded: true }],
  ])('with %j adds %j', async (attributes, more) => {
    expect((await completed(order(attributes))).reply).toMatchObject({ value: more });
  });

  test('that tells nothing leaves the purchase what it was', async () => {
    const { told, reply } = await completed(order({}));
    expect(reply).toEqual(succeed(told));
  });

  test.each([rawReply({}, 401), rawReply({}, 500), rawReply([])])(
    'that cannot be read is named',
    async (raw) => {
      const { told, reply } = await completed(raw);
      expect(reply).toEqual(succeed({ ...told, unreadable: ['order'] }));
    },
  );

  test('that can be asked for later is a fault', async () => {
    const { reply } = await completed(rawReply({}, 429));
    expect(reply).toMatchObject({ fault: { kind: 'rate-limited' } });
  });

  test('that cannot be asked for without a key is none that could not be read', async () => {
    const { complete } = await completed(order({}));
    const fault = { kind: 'no-key', reason: 'never-entered' } as const;
    expect(await complete?.(() => Promise.resolve(fail(fault)))).toEqual(fail(fault));
  });
});

describe('a product', () => {
  test.each([
    [
      { errors: [{ detail: 'No such.', status: '404' }] },
      succeed({ kind: 'not-found', msg: 'No such.' }),
    ],
    [{ errors: [{ code: 7003, message: 'Could not route' }] }, fail({ kind: 'api-off' })],
    [{ detail: 'Not Found' }, fail({ kind: 'api-off' })],
  ])('is unknown where Lemon Squeezy itself says 404: %j', (body, reply) => {
    expect(lemonSqueezy.item(64).read(rawReply(body, 404), 0)).toEqual(reply);
  });

  const read = (data: unknown) => lemonSqueezy.item(64).read(rawReply({ data }), 0);

  test('is read with every member that an item has', () => {
    const attributes = {
      name: 'Ledgerline',
      description: '<p>Books.</p>',
      buy_now_url: 'https://shop.example/buy',
      thumb_url: 'https://cdn.example/t.png',
      large_thumb_url: 'https://cdn.example/l.png',
      price: 4950,
      created_at: '2026-01-05T10:00:00Z',
    };
    expect(read({ id: '64', attributes })).toStrictEqual(
      succeed({
        kind: 'item',
        item: {
          ...nothingMore,
          id: 64,
          name: 'Ledgerline',
          description: '<p>Books.</p>',
          demoLink: 'https://shop.example/buy',
          media: {
            thumbnail: 'https://cdn.example/t.png',
            previewImage: 'https://cdn.example/l.png',
            screenshots: [],
          },
          price: { regular: 49.5 },
          publishedAt: Date.UTC(2026, 0, 5, 10),
        },
      }),
    );
  });

  test('may have nothing but id and name', () => {
    expect(read({ id: '64', attributes: { name: 'Ledgerline' } })).toStrictEqual(
      succeed({ kind: 'item', item: { id: 64, name: 'Ledgerline', ...nothingMore } }),
    );
  });

  test.each([
    [{ id: '65', attributes: { name: 'Other' } }, { kind: 'mismatch' }],
    [
      { id: '64', attributes: {} },
      { kind: 'unreadable', path: 'data.attributes.name' },
    ],
    [undefined, { kind: 'unreadable', path: 'data' }],
  ])('%j is a fault', (data, fault) => {
    expect(read(data)).toEqual(fail(fault));
  });
});

describe('the products', () => {
  /** Lists them, where each page says that this many is the last. */
  async function list(lastPage: unknown, store: object = { store: '3' }) {
    const data = [{ id: '64', attributes: { name: 'Ledgerline' } }];
    const { ask, sent } = answering(
      () => rawReply({ data, meta: { page: { lastPage } } }),
      accessTo({}, store),
    );
    const reply = await lemonSqueezy.items(ask);
    expect(reply.ok && reply.value.items.length).toBe(sent.length);
    return sent.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
  }

  const page = (number: string, store = '3') => ({
    'filter[store_id]': store,
    'page[number]': number,
    'page[size]': '100',
  });

  test('are asked for page by page of the connection’s store, up to the last', async () => {
    expect(await list(3)).toEqual([page('1'), page('2'), page('3')]);
  });

  test.each([1, 0, null, undefined, 'many'])(
    'are on one page where %j is the last',
    async (last) => {
      expect(await list(last)).toEqual([page('1')]);
    },
  );

  test('are asked for of no store where the connection names none', async () => {
    expect(await list(1, {})).toEqual([page('1', '')]);
  });
});

describe('the account', () => {
  const account = (attributes: unknown) =>
    lemonSqueezy.account(answering(() => rawReply({ data: { attributes } })).ask);

  test.each(['created_at', 'createdAt'])('tells since when it is there as %s', async (name) => {
    const attributes = {
      name: 'Ada Fenwick',
      email: 'ada@a.example',
      avatar_url: 'https://cdn.example/a.png',
      [name]: '2026-01-05T10:00:00Z',
    };
    expect(await account(attributes)).toStrictEqual(
      succeed({
        username: 'Ada Fenwick',
        email: 'ada@a.example',
        name: { first: '', last: '', full: 'Ada Fenwick' },
        currency: '',
        registeredAt: Date.UTC(2026, 0, 5, 10),
        profile: {
          heading: '',
          description: '',
          socialLinks: [],
          avatar: 'https://cdn.example/a.png',
        },
      }),
    );
  });

  test('without attributes cannot be read', async () => {
    expect(await account(null)).toEqual(fail({ kind: 'unreadable', path: 'data.attributes' }));
  });
});
