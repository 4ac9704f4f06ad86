import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codes as envatoCodes } from '#sandbox/marketplaces/envato';
import { codes as gumroadCodes } from '#sandbox/marketplaces/gumroad';
import { codes as lemonCodes, store } from '#sandbox/marketplaces/lemon-squeezy';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import { openSandbox, type TestSandbox } from '#tests/support/sandbox';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, where it is JSON. */
  readonly body: unknown;
}

async function send(url: string, init: RequestInit): Promise<Reply> {
  const { status, headers, ...reply } = await fetch(sandbox.origin + url, init).then(async (r) => ({
    status: r.status,
    headers: r.headers,
    text: await r.text(),
  }));
  const isJson = headers.get('content-type')?.includes('json') === true;
  return { status, headers, ...reply, body: isJson ? JSON.parse(reply.text) : undefined };
}

const entities = new Map(
  Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }),
);
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (sign) => entities.get(sign) ?? sign);

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

test('every code has its situation in words, and the page lists it', async () => {
  const { text } = await send('/', {});
  for (const { title, codes, situations, tokens } of Object.values(emulations)) {
    expect(Object.keys(situations).toSorted()).toEqual(Object.keys(codes).toSorted());
    for (const shown of [title, ...Object.values(codes), ...Object.values(tokens)])
      expect(text).toContain(escaped(shown));
  }
});

test('a gateway that wants to see a browser answers 403 with a page', async () => {
  await sandbox.injectFault('/gumroad', { fault: 'challenge-403' });
  const { status, headers, text } = await send('/gumroad/v2/user', {});
  expect([status, headers.get('content-type'), headers.get('cf-mitigated')]).toEqual([
    403,
    'text/html; charset=UTF-8',
    'challenge',
  ]);
  expect(text).toContain('Just a moment...');
});

describe('Envato Market', () => {
  const ask = (path: string, kind = 'whole') =>
    send(`/envato${path}`, bearer(sandbox.token('/envato', kind)));
  const sale = (code: string, kind?: string) => ask(`/v3/market/author/sale?code=${code}`, kind);

  test('a wrong token and one without the permission get the same answer', async () => {
    const said = { error: 'access_denied', error_description: 'Wrong authorization header' };
    const wrong = await send('/envato/v3/market/author/sale', bearer('nobodys'));
    for (const { status, body } of [wrong, await sale(envatoCodes.supported, 'limited')])
      expect([status, body]).toEqual([403, said]);
  });

  test('a token tells its scopes', async () => {
    expect((await ask('/whoami')).body).toMatchObject({
      scopes: ['default', 'user:username', 'user:account', 'sale:history'],
    });
    expect((await ask('/whoami', 'limited')).text).not.toContain('sale:history');
  });

  test('a malformed code is answered 422, an unknown one 404, and once 404 in a 200', async () => {
    const { status, body } = await sale(envatoCodes.malformed);
    expect([status, body]).toEqual([422, { error: 422, description: 'Unprocessable Entity' }]);
    const unknown = await sale(envatoCodes.unknown);
    const at200 = await sale(envatoCodes.unknownAt200);
    expect([unknown.status, at200.status]).toEqual([404, 200]);
    expect(at200.body).toEqual(unknown.body);
    expect(at200.body).toMatchObject({ error: 404 });
  });

  test('a page of 100 items is larger than 1 MiB, and the rest is on the next', async () => {
    const page = (number: number) =>
      ask(
        `/v1/discovery/search/search/item?username=fenwick-many&page_size=100&page=${String(number)}`,
        'many',
      );
    const [first, second] = [await page(1), await page(2)];
    expect(first.text.length).toBeGreaterThan(1024 * 1024);
    const counts = [first, second].map(({ body }) => (body as { matches: unknown[] }).matches);
    expect(counts.map(({ length }) => length)).toEqual([100, 30]);
  });

  test('each answer counts what the token may still ask', async () => {
    const remaining = async (): Promise<number> =>
      Number((await sale(envatoCodes.guest)).headers.get('x-ratelimit-remaining'));
    const before = await remaining();
    expect(await remaining()).toBe(before - 1);
  });
});

describe('Gumroad', () => {
  const ask = (path: string, kind = 'whole') =>
    send(`/gumroad${path}`, bearer(sandbox.token('/gumroad', kind)));
  const sales = async (code: string): Promise<unknown[]> => {
    const { body } = await ask(`/v2/sales?license_key=${code}`);
    return (body as { sales: unknown[] }).sales;
  };
  const verify = (code: string, product = 'A-m3CDDC5dlrSdKZp0RFhA==') =>
    send('/gumroad/v2/licenses/verify', {
      method: 'POST',
      body: new URLSearchParams({
        license_key: code,
        product_id: product,
        increment_uses_count: 'false',
      }),
    });

  test.each([
    ['euro', '2sbtHwWlTDGJ0kzQLUcCFg==', 1087, 'eur', 1000],
    ['yen', '7Rf3kQzvTgW0mX4cJpUeYw==', 455, 'jpy', 700],
    ['won', 'mB0yGd2oRrCq5sVhNtKxLw==', 688, 'krw', 950_000],
    ['dong', 'Zp8uEoXiSaWf6lHbQvMnTA==', 708, 'vnd', 180_000],
  ] as const)(
    'the price paid is in cents of a US dollar, whatever the currency: %s',
    async (name, product, price, currency, itemPrice) => {
      const paid = { price, currency };
      expect((await verify(gumroadCodes[name], product)).body).toMatchObject({ purchase: paid });
      expect(await sales(gumroadCodes[name])).toMatchObject([paid]);
      expect((await ask(`/v2/products/${product}`)).body).toMatchObject({
        product: { price: itemPrice, currency },
      });
    },
  );

  test('the check of a membership says nothing of a refund', async () => {
    const { body } = await verify(gumroadCodes.ended);
    const { purchase } = body as { purchase: object };
    expect(purchase).toHaveProperty('subscription_ended_at');
    expect(purchase).not.toHaveProperty('refunded');
    expect(purchase).not.toHaveProperty('chargebacked');
    expect(await sales(gumroadCodes.ended)).toMatchObject([{ ended: true, refunded: false }]);
  });

  test.each([
    ['disabled', 'This license key has been disabled.'],
    ['refundedInFull', 'This license key has been disabled.'],
    ['accessWithdrawn', 'Access to the purchase associated with this license has expired.'],
    ['unknown', 'That license does not exist for the provided product.'],
  ] as const)('the check of a key that is %s is answered 404', async (name, message) => {
    const { status, body } = await verify(gumroadCodes[name]);
    expect([status, body]).toEqual([404, { success: false, message }]);
  });

  test('the list of sales tells what the check does not', async () => {
    expect(await sales(gumroadCodes.refundedInFull)).toMatchObject([
      { refunded: true, license_disabled: true },
    ]);
    expect(await sales(gumroadCodes.partlyRefunded)).toMatchObject([
      { refunded: false, partially_refunded: true, license_disabled: false },
    ]);
    expect(await sales(gumroadCodes.chargedBack.toLowerCase())).toMatchObject([
      { chargedback: true, disputed: true, license_key: gumroadCodes.chargedBack },
    ]);
    expect(await sales(gumroadCodes.seats)).toMatchObject([{ quantity: 4 }]);
  });

  test.each(['test', 'withoutSale', 'imported', 'unknown'] as const)(
    'the list of sales has none of a key that is %s',
    async (name) => {
      expect(await sales(gumroadCodes[name])).toEqual([]);
    },
  );

  test('a key without a sale is genuine, and no more is told', async () => {
    expect((await verify(gumroadCodes.withoutSale)).body).toEqual({ success: true, uses: 3 });
    expect((await verify(gumroadCodes.imported)).body).toMatchObject({
      imported_customer: { is_imported_customer: true, price: null },
    });
  });

  test('a flag of the service is true alone; a field of the seller’s has its name', async () => {
    expect((await verify(gumroadCodes.test)).body).toMatchObject({ purchase: { test: true } });
    expect((await verify(gumroadCodes.fieldNamedTest)).body).toMatchObject({
      purchase: { test: 'Windows 11' },
    });
  });

  test('sales need a scope of their own, and a refusal has an empty body', async () => {
    const path = '/v2/sales?license_key=x';
    const without = await ask(path, 'withoutSales');
    expect([without.status, without.text]).toEqual([403, '']);
    expect(without.headers.get('www-authenticate')).toContain('insufficient_scope');
    expect((await ask('/v2/products', 'withoutSales')).status).toBe(200);
    expect((await send(`/gumroad${path}`, bearer('nobodys'))).status).toBe(401);
  });

  test('505 products are on 51 pages', async () => {
    let [next, pages, count]: [string | undefined, number, number] = ['/v2/products', 0, 0];
    while (next !== undefined) {
      const { body } = await ask(next, 'many');
      const list = body as { products: unknown[]; next_page_url?: string };
      [next, pages, count] = [list.next_page_url, pages + 1, count + list.products.length];
    }
    expect([pages, count]).toEqual([51, 505]);
  });
});

describe('Lemon Squeezy', () => {
  const ask = (path: string, kind = 'whole') =>
    send(`/lemon-squeezy${path}`, bearer(sandbox.token('/lemon-squeezy', kind)));
  const validate = (code: string) =>
    send('/lemon-squeezy/v1/licenses/validate', {
      method: 'POST',
      body: new URLSearchParams({ license_key: code }),
    });
  const orderOf = async (code: string): Promise<Reply> => {
    const { body } = await validate(code);
    return ask(`/v1/orders/${String((body as { meta: { order_id: number } }).meta.order_id)}`);
  };

  test.each([
    ['expired', 400, 'This license key has expired.'],
    ['disabled', 400, 'This license key is disabled.'],
    ['active', 200, null],
  ] as const)('a key that is %s is answered %i', async (name, status, error) => {
    const reply = await validate(lemonCodes[name]);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ error, license_key: { status: name } });
  });

  test('a key that runs out keeps its date', async () => {
    const { body } = await validate(lemonCodes.runsOut);
    expect(body).toMatchObject({ valid: true, license_key: { status: 'active' } });
    expect(body).not.toHaveProperty('license_key.expires_at', null);
  });

  test('of a key that nobody knows there is neither license_key nor meta', async () => {
    const { status, body } = await validate(lemonCodes.unknown);
    expect([status, body]).toEqual([404, { valid: false, error: 'license_key not found.' }]);
  });

  test('an account lists its stores by name', async () => {
    expect((await ask('/v1/stores')).body).toMatchObject({
      data: [
        { id: store, attributes: { name: 'Fenwick' } },
        { id: '4712', attributes: { name: 'Fenwick Sounds' } },
      ],
    });
  });

  test('an order tells price, currency and refund', async () => {
    const attributes = (more: object) => ({ data: { attributes: more } });
    expect((await orderOf(lemonCodes.euro)).body).toMatchObject(
      attributes({ total: 4500, currency: 'EUR', status: 'paid', refunded: false }),
    );
    expect((await orderOf(lemonCodes.refunded)).body).toMatchObject(
      attributes({ status: 'refunded', refunded: true }),
    );
    expect((await orderOf(lemonCodes.partlyRefunded)).body).toMatchObject(
      attributes({ status: 'partial_refund', refunded: false }),
    );
    expect((await orderOf(lemonCodes.otherStore)).status).toBe(404);
  });

  test('an API key of the test mode says so', async () => {
    expect((await ask('/v1/users/me')).body).toMatchObject({ meta: { test_mode: false } });
    expect((await ask('/v1/users/me', 'testMode')).body).toMatchObject({
      meta: { test_mode: true },
    });
  });
});
