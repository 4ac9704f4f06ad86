import { describe, expect, test } from 'vitest';

import { gumroad, gumroadRelayRules } from '#core/marketplaces/gumroad/reader';
import { fail, succeed } from '#core/result';
import { accessTo, answering, nothingMore } from '#tests/core/marketplaces/market-answers';
import { rawReply, type Wire } from '#tests/core/marketplaces/wire-examples';

const code = '85DB562A-C11D4B06-A2335A6B-8C079166';
const asked = { id: 'A-m3CDDC5dlrSdKZp0RFhA==', name: 'Asked' };
const sold = Date.UTC(2026, 0, 5, 19, 38, 56);

function verified(body: unknown, status = 200) {
  return gumroad.purchase(code, { item: asked }).read(rawReply(body, status), 0);
}

const withSale = (sale: Wire) =>
  verified({ success: true, purchase: { sale_timestamp: '2026-01-05T19:38:56Z', ...sale } });

/** Returns the purchase that a sale with these members is read as, else the fault. */
function bought(sale: Wire) {
  const reply = withSale(sale);
  if (!reply.ok) return reply.fault;
  return reply.value.kind === 'purchase' ? reply.value.purchase : reply.value;
}

describe('the sales of a key', () => {
  const sale = {
    product_id: asked.id,
    product_name: 'Brush pack',
    license_key: code,
    price: 4180,
    currency: 'eur',
    purchase_email: 'jo@harbour.example',
    full_name: 'Jo Marlin',
    created_at: '2026-01-05T19:38:56Z',
    variants: { Tier: 'Studio' },
    quantity: 6,
  };
  const found = (more: Wire, first: Wire[] = []) =>
    gumroad
      .lookUp?.(code)
      .read(rawReply({ success: true, sales: [...first, { ...sale, ...more }] }), 0);

  test('are asked for by the key alone', () => {
    expect(gumroad.lookUp?.(code).build(accessTo()).url).toBe(
      `https://market.test/v2/sales?license_key=${code}`,
    );
  });

  test.each(['', ' '])('are never all of them, whatever a relay is asked: “%s”', (text) => {
    const route = gumroadRelayRules.routes.find(({ path }) => path === '/v2/sales');
    expect(route?.call([text], undefined).build(accessTo()).url).toBe(
      'https://market.test/v2/sales?license_key=-',
    );
  });

  test('tell product, price, buyer and seats', () => {
    expect(found({}, [{ ...sale, license_key: 'other' }])).toMatchObject(
      succeed({
        kind: 'purchase',
        purchase: {
          item: { id: asked.id, name: 'Brush pack' },
          price: 41.8,
          currency: 'USD',
          licenseType: 'Studio',
          seats: 6,
          buyer: { name: 'Jo Marlin', email: 'jo@harbour.example' },
          date: sold,
        },
      }),
    );
    expect(found({ quantity: 1 })).not.toHaveProperty('value.purchase.seats');
  });

  test.each([
    [{ refunded: true, license_disabled: true }, { kind: 'refunded' }],
    [{ chargedback: true, license_disabled: true }, { kind: 'charged-back' }],
    [{ license_disabled: true }, { kind: 'disabled' }],
    [{ cancelled: true, ended: false, dead: true }, { kind: 'ended' }],
    [{ cancelled: true, ended: false, dead: false }, undefined],
    [{ partially_refunded: true }, undefined],
    [{ license_disabled: 'perhaps' }, 'unreadable'],
  ])('with %j have the problem %j', (more, problem) => {
    const reply = found(more);
    if (problem === 'unreadable') expect(reply).toMatchObject({ fault: { kind: problem } });
    else expect(reply).toHaveProperty('value.purchase');
    if (typeof problem === 'object')
      expect(reply).toHaveProperty('value.purchase.problem', problem);
  });

  test('of other keys alone are none of this one', () => {
    expect(found({ license_key: 'other' })).toEqual(succeed({ kind: 'not-found', msg: '' }));
  });

  test('that are no list tell nothing of it', () => {
    expect(gumroad.lookUp?.(code).read(rawReply({ success: true }), 0)).toEqual(
      fail({ kind: 'unreadable', path: 'sales' }),
    );
  });

  describe('are completed by the license', () => {
    const completed = async (license: Wire, more: Wire = {}, status = 200) => {
      const reply = found(more);
      const sent = { success: true, uses: 7, purchase: { ...sale, ...license } };
      const { ask } = answering(() => rawReply(status < 300 ? sent : license, status));
      return reply?.ok === true && reply.value.kind === 'purchase'
        ? reply.value.complete?.(ask)
        : undefined;
    };

    test('which tells uses and since when a subscription is over', async () => {
      const over = { subscription_cancelled_at: '2026-02-01T00:00:00Z' };
      expect(await completed(over, { cancelled: true, dead: true })).toMatchObject(
        succeed({
          uses: { count: 7 },
          seats: 6,
          problem: { kind: 'ended', from: Date.UTC(2026, 1, 1) },
        }),
      );
    });

    test('which tells that the seller has withdrawn access', async () => {
      const message = 'Access to the purchase associated with this license has expired.';
      expect(await completed({ success: false, message }, {}, 404)).toMatchObject({
        value: { price: 41.8, problem: { kind: 'disabled' } },
      });
    });

    test('and what the sale says against it stays', async () => {
      const message = 'This license key has been disabled.';
      const refunded = { refunded: true, license_disabled: true };
      expect(await completed({ success: false, message }, refunded, 404)).toMatchObject({
        value: { problem: { kind: 'refunded' } },
      });
      expect(await completed({}, refunded)).toMatchObject({
        value: { problem: { kind: 'refunded' } },
      });
    });

    test('unless it is not known there', async () => {
      expect(await completed({ success: false, message: 'No' }, {}, 404)).not.toHaveProperty(
        'value.problem',
      );
    });
  });

  test('that the key may not see lack a permission', () => {
    expect(gumroad.lookUp?.(code).read(rawReply({}, 403), 0)).toMatchObject({
      fault: { kind: 'refused', permission: 'view_sales' },
    });
  });
});

describe('the verification of a key', () => {
  test('asks about the key for one product, and counts no use', () => {
    const body = (item?: typeof asked) => {
      const call = gumroad.purchase(code, item === undefined ? {} : { item });
      const request = call.build(accessTo());
      expect(request.url).toBe('https://market.test/v2/licenses/verify');
      return Object.fromEntries(
        new URLSearchParams(request.body?.type === 'text' ? request.body.text : ''),
      );
    };
    const same = { license_key: code, increment_uses_count: 'false' };
    expect(body(asked)).toEqual({ product_id: asked.id, ...same });
    expect(body()).toEqual({ product_id: '', ...same });
  });

  test('tells what was bought, by whom, for how much and how often it was used', () => {
    const reply = verified({
      success: true,
      uses: 3,
      purchase: {
        product_id: asked.id,
        product_name: 'Brush pack',
        license_key: code,
        price: 1250,
        currency: 'usd',
        email: 'jo@harbour.example',
        full_name: 'Jo Marlin',
        variants: '(Studio)',
        sale_timestamp: '2026-01-05T19:38:56Z',
        created_at: '2025-01-01T00:00:00Z',
        refunded: false,
        disputed: false,
        chargebacked: false,
        test: false,
        subscription_ended_at: null,
      },
    });
    expect(reply).toStrictEqual(
      succeed({
        kind: 'purchase',
        purchase: {
          purchaseCode: code,
          licenseType: 'Studio',
          price: 12.5,
          currency: 'USD',
          item: { id: asked.id, name: 'Brush pack', ...nothingMore },
          date: sold,
          supportUnknown: true,
          buyer: { name: 'Jo Marlin', email: 'jo@harbour.example' },
          uses: { count: 3 },
        },
      }),
    );
  });

  test('tells no more than the sale does', () => {
    expect(bought({})).toStrictEqual({
      purchaseCode: code,
      licenseType: '',
      currency: '',
      item: { id: asked.id, name: 'Asked', ...nothingMore },
      date: sold,
      supportUnknown: true,
    });
  });

  test.each([
    ['a name alone', { full_name: 'Jo' }, { name: 'Jo' }],
    ['an address alone', { email: 'jo@a.example' }, { email: 'jo@a.example' }],
  ])('a buyer may have %s', (_, sale, buyer) => {
    expect(bought(sale)).toHaveProperty('buyer', buyer);
  });

  test('a sale without its own moment is dated by when it was made', () => {
    expect(bought({ sale_timestamp: null, created_at: '2026-02-01T00:00:00Z' })).toHaveProperty(
      'date',
      Date.UTC(2026, 1, 1),
    );
    // A field that the seller asks buyers for may have the name of one of the service's own.
    expect(bought({ sale_timestamp: 'n/a', created_at: '2026-02-01T00:00:00Z' })).toMatchObject({
      date: Date.UTC(2026, 1, 1),
      unreadable: ['sale_timestamp'],
    });
    expect(bought({ sale_timestamp: null, license_key: code })).not.toHaveProperty('date');
    expect(bought({ sale_timestamp: null })).toEqual({ kind: 'unreadable', path: 'purchase' });
  });

  test('a key of an imported customer stands for no sale, and is read like one', () => {
    const read = (more: Wire) =>
      verified({ imported_customer: { created_at: '2026-02-01T00:00:00Z', ...more } });
    expect(read({ license_key: code, email: 'jo@a.example' })).toMatchObject({
      value: { purchase: { date: Date.UTC(2026, 1, 1), buyer: { email: 'jo@a.example' } } },
    });
    expect(read({ refunded: 'perhaps' })).toEqual(
      fail({ kind: 'unreadable', path: 'imported_customer.refunded' }),
    );
  });

  test.each([
    ['(Team)', 'Team'],
    ['Team', 'Team'],
    ['Team (yearly)', 'Team (yearly)'],
    ['(Team) yearly', '(Team) yearly'],
    ['(Team (yearly))', 'Team (yearly)'],
    [{ Tier: 'Team', Size: 'Large', Seats: 5 }, 'Team, Large'],
    [{}, ''],
    [null, ''],
    [['Team'], ''],
  ])('the variants %j are the license %j', (variants, licenseType) => {
    expect(bought({ variants })).toHaveProperty('licenseType', licenseType);
  });

  test.each([
    ['usd', 1999, 19.99],
    ['EUR', '532', 5.32],
    ['jpy', 812, 8.12],
    ['krw', 640, 6.4],
    ['gbp', 0, 0],
  ])('what was paid is in dollars, also for a product priced in %s', (currency, cents, price) => {
    expect(bought({ currency, price: cents })).toMatchObject({ price, currency: 'USD' });
  });

  test('has no currency where no price is told', () => {
    expect(bought({ currency: 'eur' })).toHaveProperty('currency', '');
  });

  test('a key that stands for no sale is genuine, and no more is told', () => {
    expect(verified({ success: true, uses: 0 })).toStrictEqual(
      succeed({
        kind: 'purchase',
        purchase: {
          purchaseCode: code,
          licenseType: '',
          currency: '',
          item: { ...asked, ...nothingMore },
          supportUnknown: true,
          uses: { count: 0 },
        },
      }),
    );
    // What has no sign of a key is no answer about one.
    for (const body of [{ success: true }, { success: true, uses: 2, purchase: null }])
      expect(verified(body)).toMatchObject(fail({ kind: 'unreadable' }));
  });

  test.each([
    ['another key', { license_key: '00000000-C11D4B06-A2335A6B-8C079166' }],
    ['another product', { product_id: 'kL0psVL2admJSYRNs-OCMg==' }],
    ['another key of this product', { license_key: 'other', product_id: asked.id }],
    ['this key of another product', { license_key: code, product_id: 'other' }],
  ])('an answer about %s is not shown', (_, sale) => {
    expect(bought(sale)).toEqual({ kind: 'mismatch' });
  });

  test.each([
    ['in lower case', { license_key: code.toLowerCase(), product_id: asked.id }],
    ['without dashes', { license_key: code.replaceAll('-', '') }],
    ['with both left empty', { license_key: '', product_id: '' }],
  ])('an answer %s is about the code', (_, sale) => {
    expect(bought(sale)).toHaveProperty('purchaseCode', code);
  });
});

test.each(['license_key', 'product_id'])(
  'a %s that cannot be read may be of another sale, so that nothing is shown',
  (name) => {
    expect(bought({ [name]: {} })).toEqual({ kind: 'unreadable', path: `purchase.${name}` });
    expect(bought({ [name]: null })).toHaveProperty('purchaseCode', code);
  },
);

test('what else cannot be read is left out and named', () => {
  const read = bought({ price: 'twelve', email: [] });
  expect(read).toMatchObject({ currency: '', unreadable: ['price', 'email'] });
  expect(read).not.toHaveProperty('price');
});

describe('what is said against a sale', () => {
  const early = '2026-03-01T00:00:00Z';
  const late = '2026-04-01T00:00:00Z';
  const from = Date.UTC(2026, 2, 1);

  test.each<[Wire, object | undefined]>([
    [{ refunded: true }, { kind: 'refunded' }],
    [{ refunded: '1', disputed: true }, { kind: 'refunded' }],
    [{ chargebacked: true, refunded: true, disputed: true }, { kind: 'charged-back' }],
    [{ disputed: true }, { kind: 'disputed' }],
    [{ disputed: true, dispute_won: false }, { kind: 'disputed' }],
    [{ disputed: true, dispute_won: true }, undefined],
    [{ dispute_won: true }, undefined],
    [{ test: true, subscription_ended_at: early }, { kind: 'test' }],
    // A field that the seller asks buyers for may have this name.
    [{ test: 'Windows 11', custom_fields: { test: 'Windows 11' } }, undefined],
    [{ test: 'true' }, undefined],
    [{ subscription_ended_at: early }, { kind: 'ended', from }],
    [{ subscription_cancelled_at: early }, { kind: 'ended', from }],
    [{ subscription_failed_at: early }, { kind: 'ended', from }],
    [
      { subscription_ended_at: late, subscription_failed_at: early },
      { kind: 'ended', from },
    ],
    [
      { subscription_ended_at: early, subscription_cancelled_at: late },
      { kind: 'ended', from },
    ],
  ])('%j is %j', (sale, problem) => {
    expect((bought(sale) as { problem?: object }).problem).toEqual(problem);
  });

  test.each([
    ['refunded', 'perhaps'],
    ['disputed', {}],
    ['dispute_won', 2],
    ['chargebacked', 'no'],
    ['subscription_failed_at', 'soon'],
  ])('%s as %j may be what keeps it from counting, so that nothing is shown', (name, value) => {
    expect(bought({ [name]: value })).toEqual({ kind: 'unreadable', path: `purchase.${name}` });
  });

  test.each([
    [404, 'This license key has been disabled.', 'disabled'],
    [200, 'This license key has been disabled.', 'disabled'],
    [404, 'This license key is disabled.', 'disabled'],
    [404, 'Access to the purchase associated with this license has expired.', 'disabled'],
  ])('%i with “%s” is a key that it knows', (status, message, kind) => {
    expect(verified({ success: false, message }, status)).toStrictEqual(
      succeed({
        kind: 'purchase',
        purchase: {
          purchaseCode: code,
          licenseType: '',
          currency: '',
          item: { ...asked, ...nothingMore },
          problem: { kind },
          supportUnknown: true,
        },
      }),
    );
  });

  test.each([
    [200, 'That license does not exist for the provided product.'],
    [404, 'That license does not exist for the provided product.'],
    [404, 'Nothing here.'],
    [404, ''],
  ])('%i with “%s” is a key that it does not know', (status, msg) => {
    expect(verified({ success: false, message: msg }, status)).toEqual(
      succeed({ kind: 'not-found', msg }),
    );
  });

  test.each([
    [200, { success: false, message: 'Odd.' }],
    [300, { message: 'Odd.' }],
    [422, { success: true, message: 'Odd.', purchase: {} }],
  ])('%i with %j is a refused request, no verdict', (status, body) => {
    expect(verified(body, status)).toEqual(
      fail({ kind: 'refused', msg: 'Odd.', about: 'request' }),
    );
  });

  test('404 that speaks of the product alone is a refused request', () => {
    const msg = 'The product could not be found.';
    expect(verified({ success: false, message: msg }, 404)).toEqual(
      fail({ kind: 'refused', msg, about: 'request' }),
    );
  });
});

test.each([
  ['usd', 1200, 12],
  ['krw', 1_540_000, 15_400],
  ['jpy', 1200, 1200],
  ['VND', 250_000, 250_000],
])('an item that is priced in %s at %d costs %d', (currency, price, regular) => {
  const reply = gumroad
    .item(asked.id)
    .read(rawReply({ product: { ...asked, currency, price } }), 0);
  expect(reply).toMatchObject({
    value: { item: { price: { regular }, currency: currency.toUpperCase() } },
  });
});

describe('a product', () => {
  function product(body: unknown, status = 200) {
    return gumroad.item(asked.id).read(rawReply(body, status), 0);
  }

  test('is asked for by its id, which may need to be encoded', () => {
    expect(gumroad.item('A-m3==').build(accessTo()).url).toBe(
      'https://market.test/v2/products/A-m3%3D%3D',
    );
  });

  test('is read with every member that an item has', () => {
    const sent = {
      id: asked.id,
      name: 'Brush pack',
      description: '<p>Brushes.</p>',
      short_url: 'https://ada.gumroad.example/l/brushes',
      thumbnail_url: 'https://cdn.example/t.png',
      preview_url: 'https://cdn.example/p.png',
      tags: ['brush', 'ink'],
      price: 1200,
      currency: 'eur',
    };
    expect(product({ success: true, product: sent })).toStrictEqual(
      succeed({
        kind: 'item',
        item: {
          ...nothingMore,
          id: asked.id,
          name: 'Brush pack',
          description: '<p>Brushes.</p>',
          demoLink: 'https://ada.gumroad.example/l/brushes',
          tags: ['brush', 'ink'],
          media: {
            thumbnail: 'https://cdn.example/t.png',
            previewImage: 'https://cdn.example/p.png',
            screenshots: [],
          },
          price: { regular: 12 },
          currency: 'EUR',
        },
      }),
    );
  });

  test('names what cannot be read', () => {
    expect(product({ product: { ...asked, price: 'twelve' } })).toMatchObject({
      value: { item: { price: {}, unreadable: ['price'] } },
    });
  });

  test('may have nothing but id and name', () => {
    expect(product({ product: asked })).toStrictEqual(
      succeed({ kind: 'item', item: { ...asked, ...nothingMore } }),
    );
  });

  test('is not shown where another was asked for', () => {
    expect(product({ product: { id: 'other', name: 'Other' } })).toEqual(
      fail({ kind: 'mismatch' }),
    );
  });

  test.each([
    [404, {}],
    [200, { success: false }],
  ])('is not there where %i answers %j', (status, body) => {
    expect(product(body, status)).toEqual(succeed({ kind: 'not-found', msg: '' }));
  });

  test.each([
    [200, {}, { kind: 'unreadable', path: 'product' }],
    [200, { product: { id: asked.id } }, { kind: 'unreadable', path: 'product.name' }],
    [401, {}, { kind: 'refused', msg: 'HTTP 401', about: 'key' }],
    [500, {}, { kind: 'server-error', status: 500 }],
  ])('%i with %j is a fault', (status, body, fault) => {
    expect(product(body, status)).toEqual(fail(fault));
  });
});

describe('the account', () => {
  const account = (user: Wire) => gumroad.account(answering(() => rawReply({ user })).ask);

  test('is its name, its address and its currency', async () => {
    const user = {
      name: 'Ada Fenwick',
      user_id: 'u1',
      email: 'ada@a.example',
      currency_type: 'eur',
    };
    expect(await account(user)).toStrictEqual(
      succeed({
        username: 'Ada Fenwick',
        email: 'ada@a.example',
        name: { first: '', last: '', full: 'Ada Fenwick' },
        currency: 'EUR',
        profile: { heading: '', description: '', socialLinks: [] },
      }),
    );
  });

  test('without a name it is called by its id', async () => {
    expect(await account({ name: null, user_id: 'u1' })).toMatchObject({
      value: { username: 'u1', email: '', name: { full: '' }, currency: '' },
    });
  });
});

test.each([
  [code, undefined],
  [code.toLowerCase(), code],
  [code.replaceAll('-', ''), code],
  [` ${code} `, code],
  ['85db562a-c11d-4b06-a233-5a6b8c079166', code],
  // O typed for 0.
  ['85DB562A-C11D4BO6-A2335A6B-8C079166', code],
  ['85DB562A-C11D4Bo6-A2335A6B-8C079166', code],
  // One digit too few, too many, or none at all.
  [code.slice(1), undefined],
  [`${code}0`, undefined],
  [`0${code}`, undefined],
  [code.replace('8', 'G'), undefined],
  ['', undefined],
])('%j is more likely spelled %j', (typed, likely) => {
  expect(gumroad.correctedSpelling(typed)).toBe(likely);
});
