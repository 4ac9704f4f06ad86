import { Hono } from 'hono';

import { dayMs } from '#core/time/index';
import { type C, type Emulation, moment } from '#sandbox/marketplaces/emulation';
import type { SandboxEnvironment } from '#sandbox/seller/request-log';

/** The codes of the seeded purchases, by situation. */
export const codes = {
  genuine: 'A1B2C3D4-00000001-9F8E7D6C-5B4A3928',
  secondProduct: 'A1B2C3D4-00000002-9F8E7D6C-5B4A3928',
  refunded: 'A1B2C3D4-00000003-9F8E7D6C-5B4A3928',
  disputed: 'A1B2C3D4-00000004-9F8E7D6C-5B4A3928',
  chargedBack: 'A1B2C3D4-00000005-9F8E7D6C-5B4A3928',
  disabled: 'A1B2C3D4-00000006-9F8E7D6C-5B4A3928',
  ended: 'A1B2C3D4-00000007-9F8E7D6C-5B4A3928',
  cancelled: 'A1B2C3D4-00000008-9F8E7D6C-5B4A3928',
  test: 'A1B2C3D4-00000009-9F8E7D6C-5B4A3928',
  refundedInFull: 'A1B2C3D4-0000000A-9F8E7D6C-5B4A3928',
  partlyRefunded: 'A1B2C3D4-0000000B-9F8E7D6C-5B4A3928',
  disputeWon: 'A1B2C3D4-0000000C-9F8E7D6C-5B4A3928',
  seats: 'A1B2C3D4-0000000D-9F8E7D6C-5B4A3928',
  accessWithdrawn: 'A1B2C3D4-0000000E-9F8E7D6C-5B4A3928',
  withoutSale: 'A1B2C3D4-0000000F-9F8E7D6C-5B4A3928',
  imported: 'A1B2C3D4-00000010-9F8E7D6C-5B4A3928',
  euro: 'A1B2C3D4-00000011-9F8E7D6C-5B4A3928',
  yen: 'A1B2C3D4-00000012-9F8E7D6C-5B4A3928',
  won: 'A1B2C3D4-00000013-9F8E7D6C-5B4A3928',
  dong: 'A1B2C3D4-00000014-9F8E7D6C-5B4A3928',
  fieldNamedTest: 'A1B2C3D4-00000015-9F8E7D6C-5B4A3928',
  lastOfMany: 'A1B2C3D4-00000016-9F8E7D6C-5B4A3928',
  unknown: 'A1B2C3D4-FFFFFFFF-9F8E7D6C-5B4A3928',
};

/** The scopes of each kind of token. Any scope that only reads may see the account and the products. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  whole: ['view_sales'],
  withoutSales: ['view_profile'],
  limited: ['edit_emails'],
  many: ['view_profile'],
};

function product(id: string, name: string, price = 1200, currency = 'usd') {
  return {
    id,
    name,
    description: 'Made by hand.',
    short_url: 'https://shop.gumroad.example/l/pack',
    thumbnail_url: 'https://img.example/t.png',
    preview_url: null,
    price,
    currency,
    formatted_price: `${String(price / 100)} ${currency.toUpperCase()}`,
    published: true,
    tags: ['brushes'],
  };
}

const pack = product('A-m3CDDC5dlrSdKZp0RFhA==', 'Brush pack');
const products = [pack, product('kL0psVL2admJSYRNs-OCMg==', 'Field recorder')];
/** Yen and dong have one unit, the won is kept in hundredths. */
const inCurrencies = {
  [codes.euro]: product('2sbtHwWlTDGJ0kzQLUcCFg==', 'Ink pack', 1000, 'eur'),
  [codes.yen]: product('7Rf3kQzvTgW0mX4cJpUeYw==', 'Kana pack', 700, 'jpy'),
  [codes.won]: product('mB0yGd2oRrCq5sVhNtKxLw==', 'Hangul pack', 950_000, 'krw'),
  [codes.dong]: product('Zp8uEoXiSaWf6lHbQvMnTA==', 'Lacquer pack', 180_000, 'vnd'),
};
/** Pages have ten products, so that these fill 51. */
const many = Array.from({ length: 505 }, (_, index) =>
  product(`manymanymanymany${String(index).padStart(6, '0')}==`, `Pack ${String(index + 1)}`),
);
const [, recorder = pack] = products;
const lastOfMany = many.at(-1) ?? pack;
const productOf: Readonly<Record<string, typeof pack>> = {
  [codes.secondProduct]: recorder,
  [codes.lastOfMany]: lastOfMany,
  ...inCurrencies,
};

/** The members of a license check's reply, and those that the list of sales adds or replaces. */
interface Said {
  readonly license: object;
  /** Absent if the key has no sale, or one in test mode, which the list leaves out. */
  readonly sale?: object;
}

function saidOf(now: number): ReadonlyMap<string, Said> {
  const paid = { refunded: false, disputed: false, dispute_won: false, chargebacked: false };
  const kept = { partially_refunded: false, chargedback: false, license_disabled: false };
  /** @param more what both say. @param sale what the list alone says */
  const oneOff = (more: object = {}, sale: object = {}): Said => {
    const { chargebacked, ...both } = { ...paid, ...more };
    return { license: { ...both, chargebacked }, sale: { ...both, ...kept, ...sale } };
  };
  // A membership has neither `refunded` nor `chargebacked` in a license check.
  const membership = (ends: Readonly<Record<string, string>>): Said => ({
    license: {
      disputed: false,
      dispute_won: false,
      subscription_id: 'GDzW4_aBdQc-o7Gbjng7lw==',
      recurrence: 'monthly',
      is_multiseat_license: false,
      subscription_ended_at: null,
      subscription_cancelled_at: null,
      subscription_failed_at: null,
      ...ends,
    },
    sale: {
      refunded: false,
      disputed: false,
      dispute_won: false,
      ...kept,
      subscription_id: 'GDzW4_aBdQc-o7Gbjng7lw==',
      subscription_duration: 'monthly',
      cancelled: 'subscription_cancelled_at' in ends || 'subscription_failed_at' in ends,
      ended: 'subscription_ended_at' in ends,
      dead: Object.values(ends).some((end) => Date.parse(end) <= now),
    },
  });
  return new Map([
    [codes.genuine, oneOff()],
    [codes.secondProduct, oneOff()],
    // Refunded before August 2026; since then a full refund disables the key.
    [codes.refunded, oneOff({ refunded: true })],
    [codes.refundedInFull, oneOff({ refunded: true }, { license_disabled: true })],
    // Only the list shows a partial refund.
    [codes.partlyRefunded, oneOff({}, { partially_refunded: true })],
    [codes.disputed, oneOff({ disputed: true })],
    [codes.disputeWon, oneOff({ disputed: true, dispute_won: true })],
    [codes.chargedBack, oneOff({ disputed: true, chargebacked: true }, { chargedback: true })],
    [codes.disabled, oneOff({}, { license_disabled: true })],
    [codes.accessWithdrawn, oneOff()],
    [codes.ended, membership({ subscription_ended_at: moment(now - 9 * dayMs) })],
    [codes.cancelled, membership({ subscription_cancelled_at: moment(now + 9 * dayMs) })],
    [codes.test, { license: { ...paid, test: true } }],
    // A seller's own field next to the service's.
    [codes.fieldNamedTest, oneOff({ test: 'Windows 11', custom_fields: { test: 'Windows 11' } })],
    [codes.seats, oneOff({ quantity: 4, is_multiseat_license: true })],
    [codes.euro, oneOff({ price: 1087, currency: 'eur' })],
    [codes.yen, oneOff({ price: 455, currency: 'jpy' })],
    [codes.won, oneOff({ price: 688, currency: 'krw' })],
    [codes.dong, oneOff({ price: 708, currency: 'vnd' })],
    [codes.lastOfMany, oneOff()],
  ]);
}

/** A key that exists is answered with 404 and this message. */
const refusals: Readonly<Record<string, string>> = {
  [codes.disabled]: 'This license key has been disabled.',
  [codes.refundedInFull]: 'This license key has been disabled.',
  [codes.accessWithdrawn]: 'Access to the purchase associated with this license has expired.',
};

/**
 * Emulates the API of Gumroad. The check of a license needs no token and counts a use unless the request says
 * otherwise.
 */
export const emulation: Emulation<keyof typeof codes> = {
  title: 'Gumroad',
  codes,
  situations: {
    genuine: 'Genuine',
    secondProduct: 'Genuine, another product',
    refunded: 'Refunded, the key left as it was',
    disputed: 'Payment disputed',
    chargedBack: 'Charged back',
    disabled: 'Disabled',
    ended: 'Subscription ended',
    cancelled: 'Subscription canceled, still running',
    test: 'Test mode',
    refundedInFull: 'Refunded in full, which disables the key',
    partlyRefunded: 'Refunded in part',
    disputeWon: 'Dispute won',
    seats: 'Four seats',
    accessWithdrawn: 'Access withdrawn by the seller',
    withoutSale: 'Genuine, without a sale',
    imported: 'Genuine, of an imported customer',
    euro: 'Priced in euro, paid in US dollars',
    yen: 'Priced in yen',
    won: 'Priced in won',
    dong: 'Priced in dong',
    fieldNamedTest: 'A field of the seller is named “test”',
    lastOfMany: 'Of the last of 505 products',
    unknown: 'No such purchase',
  },
  tokens: {
    whole: 'API key',
    withoutSales: 'API key without the permission to view sales',
    limited: 'API key without the permission to view anything',
    many: 'API key of an account with 505 products',
  },
  app: (kindOf, now) => {
    const uses = new Map<string, number>();
    const app = new Hono<SandboxEnvironment>();
    app.use('/v2/*', async (c, next) => {
      if (c.req.path.endsWith('/v2/licenses/verify')) {
        await next();
        return undefined;
      }
      const kind = kindOf(c);
      const suffices = c.req.path.endsWith('/v2/sales') ? /^view_sales$/u : /^view_/u;
      // A refused token is answered in a header, with an empty body.
      const refuse = (error: string, status: 401 | 403): Response =>
        c.body(null, status, {
          'www-authenticate': `Bearer realm="Doorkeeper", error="${error}"`,
        });
      if (kind === undefined) return refuse('invalid_token', 401);
      if (!scopes[kind]?.some((scope) => suffices.test(scope)))
        return refuse('insufficient_scope', 403);
      await next();
      return undefined;
    });
    app.get('/v2/user', (c) =>
      c.json({
        success: true,
        user: {
          name: 'Ada Fenwick',
          user_id: 'G_-mnBf9b1j9A7a4ub4nFQ==',
          currency_type: 'usd',
          email: 'ada@fenwick.example',
        },
      }),
    );
    app.get('/v2/products', (c) => {
      // The service's pages have ten products. For the small account each page has one, so that a second page is
      // requested.
      const [all, size] = kindOf(c) === 'many' ? [many, 10] : [products, 1];
      const key = c.req.query('page_key');
      const page = key === undefined ? 0 : Number(key.split('-')[1]);
      const next = `20260101000000000000-${String(page + 1)}`;
      return c.json({
        success: true,
        products: all.slice(page * size, (page + 1) * size),
        ...((page + 1) * size < all.length && {
          next_page_key: next,
          next_page_url: `/v2/products?page_key=${next}`,
        }),
      });
    });
    app.get('/v2/products/:id', (c) => {
      const id = c.req.param('id');
      const found = [...products, ...Object.values(inCurrencies), ...many].find(
        (one) => one.id === id,
      );
      return c.json(
        found === undefined
          ? { success: false, message: 'The product was not found.' }
          : { success: true, product: found },
      );
    });
    const saleOf = (key: string, said: object): object => {
      const { id, name, currency } = productOf[key] ?? pack;
      return {
        seller_id: 'G_-mnBf9b1j9A7a4ub4nFQ==',
        product_id: id,
        product_name: name,
        email: 'buyer@harbour.example',
        full_name: 'Jo Marlin',
        price: 1200,
        currency,
        quantity: 1,
        license_key: key,
        ...said,
      };
    };
    app.get('/v2/sales', (c) => {
      const key = c.req.query('license_key')?.trim().toUpperCase() ?? '';
      const sale = saidOf(now()).get(key)?.sale;
      const ours = sale !== undefined && key !== codes.lastOfMany;
      return c.json({
        success: true,
        sales: ours
          ? [
              {
                ...saleOf(key, sale),
                id: 'FO8TXN-dbxYaBdahG97Y-Q==',
                created_at: moment(now() - 40 * dayMs),
                purchase_email: 'buyer@harbour.example',
                order_id: 524_459_935,
                variants: { Tier: 'Studio' },
                license_id: 'YiCv7rGBqvQXvLZC0iLk-A==',
              },
            ]
          : [],
      });
    });
    app.post('/v2/licenses/verify', async (c) => verify(c));

    async function verify(c: C): Promise<Response> {
      const form = await c.req.parseBody();
      const text = (name: string): string => (typeof form[name] === 'string' ? form[name] : '');
      const key = text('license_key').toUpperCase();
      const said = saidOf(now()).get(key);
      const saleless = key === codes.withoutSale || key === codes.imported;
      const refuse = (message: string): Response => c.json({ success: false, message }, 404);
      if ((said === undefined && !saleless) || (productOf[key] ?? pack).id !== text('product_id'))
        return refuse('That license does not exist for the provided product.');
      const refusal = refusals[key];
      if (refusal !== undefined) return refuse(refusal);
      if (text('increment_uses_count') !== 'false') uses.set(key, (uses.get(key) ?? 3) + 1);
      const answer = { success: true, uses: uses.get(key) ?? 3 };
      if (key === codes.imported)
        return c.json({ ...answer, imported_customer: importedCustomer() });
      if (said === undefined) return c.json(answer);
      return c.json({
        ...answer,
        purchase: {
          permalink: 'pack',
          order_number: 524_459_935,
          sale_id: 'FO8TXN-dbxYaBdahG97Y-Q==',
          sale_timestamp: moment(now() - 40 * dayMs),
          variants: '(Studio)',
          custom_fields: [],
          ...saleOf(key, said.license),
        },
      });
    }

    function importedCustomer(): object {
      return {
        email: 'buyer@harbour.example',
        created_at: moment(now() - 900 * dayMs),
        product_name: pack.name,
        price: null,
        is_imported_customer: true,
        purchase_email: 'buyer@harbour.example',
        id: 'bE3xT0_d',
      };
    }
    return app;
  },
};
