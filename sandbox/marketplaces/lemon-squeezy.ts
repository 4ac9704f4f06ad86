import { Hono } from 'hono';

import { dayMs } from '#core/time/index';
import { type C, type Emulation, moment } from '#sandbox/marketplaces/emulation';
import type { SandboxEnvironment } from '#sandbox/seller/request-log';

/** The codes of the seeded purchases, by situation. */
export const codes = {
  active: '38B1460A-5104-4067-A91D-77B872934D01',
  inactive: '38B1460A-5104-4067-A91D-77B872934D02',
  expired: '38B1460A-5104-4067-A91D-77B872934D03',
  disabled: '38B1460A-5104-4067-A91D-77B872934D04',
  test: '38B1460A-5104-4067-A91D-77B872934D05',
  otherStore: '38B1460A-5104-4067-A91D-77B872934D06',
  runsOut: '38B1460A-5104-4067-A91D-77B872934D07',
  refunded: '38B1460A-5104-4067-A91D-77B872934D08',
  partlyRefunded: '38B1460A-5104-4067-A91D-77B872934D09',
  euro: '38B1460A-5104-4067-A91D-77B872934D0A',
  unknown: '38B1460A-5104-4067-A91D-77B872934DFF',
};

/** The account’s own store. */
export const store = '4711';
const otherStore = 815;

function attributesOfStore(name: string, slug: string): object {
  return {
    name,
    slug,
    domain: `${slug}.lemonsqueezy.example`,
    url: `https://${slug}.lemonsqueezy.example`,
    avatar_url: 'https://img.example/store.png',
    plan: 'fresh',
    country: 'DK',
    country_nicename: 'Denmark',
    currency: 'USD',
    created_at: '2021-05-27T12:54:47.000000Z',
    updated_at: '2021-06-11T09:02:18.000000Z',
  };
}
const stores = [
  { type: 'stores', id: store, attributes: attributesOfStore('Fenwick', 'fenwick') },
  { type: 'stores', id: '4712', attributes: attributesOfStore('Fenwick Sounds', 'sounds') },
];

const product = {
  type: 'products',
  id: '64',
  attributes: {
    store_id: Number(store),
    name: 'Ledgerline',
    slug: 'ledgerline',
    description: '<p>Keeps books.</p>',
    status: 'published',
    status_formatted: 'Published',
    thumb_url: 'https://img.example/t.png',
    large_thumb_url: 'https://img.example/l.png',
    price: 4900,
    price_formatted: '$49.00',
    buy_now_url: 'https://fenwick.lemonsqueezy.example/buy/1',
    created_at: '2025-01-24T14:15:07.000000Z',
    updated_at: '2026-01-24T14:15:07.000000Z',
    test_mode: false,
  },
};

/** The order of a key by the place of its code; amounts are in hundredths. */
function ordersAt(now: number): ReadonlyMap<string, object> {
  const paid = {
    store_id: Number(store),
    customer_id: 6,
    order_number: 12,
    user_name: 'Jo Marlin',
    user_email: 'buyer@harbour.example',
    currency: 'USD',
    currency_rate: '1.00000000',
    subtotal: 4900,
    total: 4900,
    total_usd: 4900,
    total_formatted: '$49.00',
    status: 'paid',
    status_formatted: 'Paid',
    refunded: false,
    refunded_at: null,
    first_order_item: { product_id: Number(product.id), variant_id: 5, quantity: 1, price: 4900 },
    created_at: moment(now - 200 * dayMs),
    test_mode: false,
  };
  const refundedAt = moment(now - 5 * dayMs);
  const more: Readonly<Record<string, object>> = {
    [codes.test]: { test_mode: true },
    [codes.otherStore]: { store_id: otherStore },
    [codes.refunded]: { status: 'refunded', refunded: true, refunded_at: refundedAt },
    [codes.partlyRefunded]: { status: 'partial_refund', refunded_amount: 1900 },
    [codes.euro]: { currency: 'EUR', currency_rate: '1.08000000', total: 4500, total_usd: 4860 },
  };
  return new Map(
    Object.values(codes).map((code) => [
      orderOf(code),
      { type: 'orders', id: orderOf(code), attributes: { ...paid, ...more[code] } },
    ]),
  );
}

function orderOf(code: string): string {
  return String(5_210_000 + Number.parseInt(code.slice(-2), 16));
}

function notFound(c: C): Response {
  const detail = 'The requested resource does not exist.';
  return jsonApi(c, { errors: [{ detail, status: '404', title: 'Not Found' }] }, 404);
}

function jsonApi(c: C, body: object, status: 200 | 401 | 404 | 415 = 200): Response {
  return c.body(JSON.stringify({ jsonapi: { version: '1.0' }, ...body }), status, {
    'content-type': 'application/vnd.api+json',
  });
}

/** One page with all that there is. */
function pageOf(data: readonly object[]): object {
  const total = data.length;
  return {
    meta: { page: { currentPage: 1, from: 1, lastPage: 1, perPage: 100, to: total, total } },
    data,
  };
}

/** Emulates the License API of Lemon Squeezy, which asks for no key, and what we ask of its main API. */
export const emulation: Emulation<keyof typeof codes> = {
  title: 'Lemon Squeezy',
  codes,
  situations: {
    active: 'Active',
    inactive: 'Not activated yet',
    expired: 'Expired',
    disabled: 'Disabled',
    test: 'Test mode',
    otherStore: 'Of another store',
    runsOut: 'Active, runs out in 90 days',
    refunded: 'Active, its order refunded',
    partlyRefunded: 'Active, its order refunded in part',
    euro: 'Active, paid in euro',
    unknown: 'No such purchase',
  },
  tokens: { whole: 'API key', testMode: 'API key of the test mode' },
  store,
  app: (kindOf, now) => {
    const known = (): ReadonlyMap<string, object> =>
      new Map<string, object>([
        [codes.active, { activation_usage: 2 }],
        [codes.inactive, { status: 'inactive' }],
        [codes.expired, { status: 'expired', expires_at: moment(now() - 12 * dayMs) }],
        [codes.disabled, { status: 'disabled' }],
        [codes.test, { test_mode: true }],
        [codes.otherStore, {}],
        [codes.runsOut, { expires_at: moment(now() + 90 * dayMs) }],
        [codes.refunded, {}],
        [codes.partlyRefunded, {}],
        [codes.euro, {}],
      ]);
    const refusals = new Map<string, string>([
      [codes.expired, 'This license key has expired.'],
      [codes.disabled, 'This license key is disabled.'],
    ]);
    const app = new Hono<SandboxEnvironment>();
    app.use('/v1/*', async (c, next) => {
      const isOpen = c.req.path.includes('/v1/licenses/');
      if (!isOpen && kindOf(c) === undefined) return c.json({ message: 'Unauthenticated.' }, 401);
      await next();
      return undefined;
    });
    app.get('/v1/users/me', (c) =>
      jsonApi(c, {
        meta: { test_mode: kindOf(c) === 'testMode' },
        data: {
          type: 'users',
          id: '1',
          attributes: {
            name: 'Ada Fenwick',
            email: 'ada@fenwick.example',
            avatar_url: 'https://img.example/ada.png',
            created_at: '2024-05-24T14:08:31.000000Z',
          },
        },
      }),
    );
    app.get('/v1/stores', (c) => jsonApi(c, pageOf(stores)));
    app.get('/v1/products', (c) =>
      jsonApi(c, pageOf(c.req.query('filter[store_id]') === store ? [product] : [])),
    );
    app.get('/v1/products/:id', (c) =>
      c.req.param('id') === product.id ? jsonApi(c, { data: product }) : notFound(c),
    );
    app.get('/v1/orders/:id', (c) => {
      const order = ordersAt(now()).get(c.req.param('id'));
      const isOurs = c.req.param('id') !== orderOf(codes.otherStore);
      return order === undefined || !isOurs ? notFound(c) : jsonApi(c, { data: order });
    });
    app.post('/v1/licenses/validate', async (c) => {
      const form = await c.req.parseBody();
      const asked = typeof form['license_key'] === 'string' ? form['license_key'] : '';
      const key = asked.toUpperCase();
      const facts = known().get(key);
      if (facts === undefined)
        return c.json({ valid: false, error: 'license_key not found.' }, 404);
      const error = refusals.get(key);
      return c.json(
        {
          valid: error === undefined,
          error: error ?? null,
          license_key: {
            id: 1,
            status: 'active',
            key,
            activation_limit: 5,
            activation_usage: 0,
            created_at: moment(now() - 200 * dayMs),
            expires_at: null,
            test_mode: false,
            ...facts,
          },
          instance: null,
          meta: {
            store_id: key === codes.otherStore ? otherStore : Number(store),
            order_id: Number(orderOf(key)),
            order_item_id: 3,
            product_id: Number(product.id),
            product_name: product.attributes.name,
            variant_id: 5,
            variant_name: 'Team',
            customer_id: 6,
            customer_name: 'Jo Marlin',
            customer_email: 'buyer@harbour.example',
          },
        },
        error === undefined ? 200 : 400,
      );
    });
    return app;
  },
};
