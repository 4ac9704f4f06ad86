import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { findCodes } from '#tests/core/codes/found-codes';
import { defaultDialect, codePatternsOf } from '#core/connections/index';
import { marketplaceOf } from '#core/marketplaces/asking';
import { succeed, fail } from '#core/result';
import { dayMs } from '#core/time/index';
import { codes, store } from '#sandbox/marketplaces/freemius';
import { askingIn } from '#tests/core/marketplaces/asking';
import { accessTo } from '#tests/core/marketplaces/market-answers';
import { rawReply } from '#tests/core/marketplaces/wire-examples';
import { openSandbox, type TestSandbox } from '#tests/support/sandbox';

const place = { marketplace: 'freemius' as const };
const now = Date.now();
let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const asking = (apiKey?: string) => askingIn(sandbox, 'freemius', apiKey);
const days = (count: number) => expect.closeTo(now + count * dayMs, -5) as number;

/**
 * Returns what further requests make of a license, where those to one path get another reply than Freemius would send.
 */
async function completed(code: string, path?: string, other = rawReply({}, 500)) {
  const asked = asking();
  const reply = await asked.purchase(code);
  if (!reply.ok || reply.value.kind !== 'purchase') throw new Error(JSON.stringify(reply));
  return reply.value.complete?.((call) => {
    const isOther = path !== undefined && call.build(accessTo()).url.includes(path);
    return isOther ? Promise.resolve(call.read(other, now)) : asked.ask(call);
  });
}

async function bought(...asked: Parameters<typeof completed>) {
  const whole = await completed(...asked);
  return whole?.ok === true ? whole.value : expect.unreachable();
}

test('a license tells its plan, its activations, its price and until when it is good', async () => {
  expect(await bought(codes.genuine)).toEqual({
    purchaseCode: codes.genuine,
    licenseType: 'Professional',
    price: 79,
    currency: 'USD',
    item: expect.objectContaining({ id: Number(store), name: 'Anchorline' }) as object,
    supportUnknown: true,
    date: days(-275),
    expiresAt: days(90),
    problem: { kind: 'expired', from: days(90) },
    uses: { count: 2, limit: 5 },
    buyer: { email: 'buyer@harbour.example' },
  });
});

test('a plan that was deleted hides no refund', async () => {
  const told = { licenseType: '', item: { name: 'Anchorline' }, problem: { kind: 'refunded' } };
  expect(await bought(codes.refunded)).toMatchObject(told);
});

test.each([
  ['payments', rawReply({}, 500)],
  ['payments', rawReply({}, 403)],
  ['payments', rawReply({})],
])('what else is known stays where its %s cannot be read', async (path, other) => {
  const purchase = await bought(codes.chargedBack, `/${path}`, other);
  expect(purchase).toMatchObject({
    licenseType: 'Professional',
    item: { name: 'Anchorline' },
    unreadable: [path],
  });
});

test.each([
  ['plans', 'plan', { item: { name: 'Anchorline' } }],
  ['.json?fields=id%2Ctitle%2Cicon', 'item', { licenseType: 'Professional' }],
])('and a charge-back is told where %s cannot be read', async (path, unreadable, told) => {
  expect(await bought(codes.chargedBack, path)).toMatchObject({
    ...told,
    problem: { kind: 'charged-back' },
    unreadable: [unreadable],
  });
});

test('a request that is to be made again later ends the others', async () => {
  const later = await completed(codes.chargedBack, '/payments', rawReply({}, 429));
  expect(later).toMatchObject({ fault: { kind: 'rate-limited' } });
});

test('its payment is found on the second page', async () => {
  await bought(codes.genuine);
  const asked = (await sandbox.requests()).filter(({ path }) => path.endsWith('/payments.json'));
  expect(asked.map(({ query }) => new URLSearchParams(query).get('offset'))).toEqual(['0', '50']);
});

test.each([
  ['blocked', { problem: { kind: 'expired', from: days(-40) }, expiresAt: days(-40) }],
  ['cancelled', { problem: { kind: 'disabled' } }],
  ['refunded', { problem: { kind: 'refunded' } }],
  ['disputed', { problem: { kind: 'disputed' }, disputed: true }],
  ['chargedBack', { problem: { kind: 'charged-back' } }],
  ['sandbox', { problem: { kind: 'test' } }],
  ['partlyRefunded', { partlyRefunded: true, problem: { kind: 'expired', from: days(90) } }],
] as const)('a license that is %s says so', async (name, told) => {
  expect(await bought(codes[name])).toMatchObject(told);
});

/** One entry of the list of payments for the genuine license. */
const paid = (entry: object) => ({ license_id: '3001', created: '2026-02-03 10:11:12', ...entry });

test.each([
  ['refund', { problem: { kind: 'refunded' } }],
  ['chargeback', { problem: { kind: 'charged-back' } }],
  ['disputed', { problem: { kind: 'disputed' }, disputed: true }],
])('a payment may name the %s that is bound to it', async (type, told) => {
  const payments = [
    paid({ id: '501', type: 'payment', gross: 79, bound_payment_id: '502' }),
    paid({ id: '502', type, gross: -79, bound_payment_id: null }),
  ];
  expect(await bought(codes.genuine, '/payments', rawReply({ payments }))).toMatchObject(told);
});

test('a refund that names no payment of the license says nothing of the newest one', async () => {
  const payments = [
    paid({ id: '501', type: 'payment', gross: 79, bound_payment_id: '502' }),
    paid({ id: '502', type: 'refund', gross: -79 }),
    paid({ id: '503', type: 'payment', gross: 79, created: '2026-03-03 10:11:12' }),
  ];
  const purchase = await bought(codes.genuine, '/payments', rawReply({ payments }));
  expect(purchase).toMatchObject({ problem: { kind: 'expired', from: days(90) } });
});

test('one that blocks no features has lost updates and support alone', async () => {
  const purchase = await bought(codes.unblocked);
  expect(purchase).toMatchObject({ supportedUntil: days(-40) });
  expect(purchase).not.toHaveProperty('problem');
  expect(purchase).not.toHaveProperty('supportUnknown');
});

test('one for life has no end, one without a quota no limit, one that nobody has no buyer', async () => {
  const purchase = await bought(codes.unlimited);
  expect(purchase.uses).toEqual({ count: 2 });
  expect(purchase).not.toHaveProperty('expiresAt');
  expect(await bought(codes.given)).not.toHaveProperty('buyer');
});

test('a key is found by all of its signs, and no other spelling of it', async () => {
  expect(await bought(codes.oddCharacters)).toMatchObject({ purchaseCode: codes.oddCharacters });
  const other = codes.genuine.toUpperCase();
  for (const code of [codes.unknown, other, codes.genuine.slice(0, -1)])
    expect(await asking().purchase(code)).toEqual(succeed({ kind: 'not-found', msg: '' }));
});

test('no short text is searched for: it would list the keys of others', async () => {
  await asking().purchase('sk_G7q');
  const [asked] = await sandbox.requests();
  expect(new URLSearchParams(asked?.query).get('search')).toBe(`sk_${'0'.repeat(29)}`);
});

test('a page of other licenses proves nothing about a key', () => {
  const licenses = Array.from({ length: 50 }, (_, id) => ({ id, secret_key: String(id) }));
  const { read } = marketplaceOf(place).purchase(codes.genuine, {});
  const fault = { kind: 'unreadable', path: 'licenses' };
  expect(read(rawReply({ licenses }), now)).toEqual(fail(fault));
  expect(read(rawReply({}), now)).toEqual(fail(fault));
});

test.each([undefined, null, `${codes.genuine.slice(0, 5)}***`])(
  'a license with the key %j may be the one that was asked about',
  (key) => {
    const licenses = [
      { id: 1, secret_key: `${codes.genuine}x` },
      { id: 2, secret_key: key },
    ];
    expect(
      marketplaceOf(place).purchase(codes.genuine, {}).read(rawReply({ licenses }), now),
    ).toEqual(fail({ kind: 'unreadable', path: 'licenses' }));
  },
);

test.each([
  [{ is_cancelled: 'perhaps' }, 'licenses.0.is_cancelled'],
  [{ expiration: 'one day' }, 'licenses.0.expiration'],
  [{ plan_id: null }, 'licenses.0.plan_id'],
])('%j decides the verdict, so that it must be readable', (field, path) => {
  const license = { id: 1, secret_key: codes.genuine, plugin_id: 2, plan_id: 3, ...field };
  expect(
    marketplaceOf(place)
      .purchase(codes.genuine, {})
      .read(rawReply({ licenses: [license] }), now),
  ).toEqual(fail({ kind: 'unreadable', path }));
});

test.each([
  ['of nobody', 'The authorization header is invalid.'],
  ['of another product', 'The token is not allowed to access this product.'],
])('a token %s is a refused key, in the words of Freemius', async (which, msg) => {
  const token = which === 'of nobody' ? 'not-the-token' : sandbox.token('/freemius', 'other');
  const refused = { ok: false, fault: { kind: 'refused', about: 'key', msg } };
  expect(await asking(token).account()).toEqual(refused);
  expect(await asking(token).purchase(codes.genuine)).toEqual(refused);
  expect(await asking(token).items()).toEqual(refused);
});

test('a token has one product, and neither its secret key nor a customer’s is asked for', async () => {
  expect(await asking().account()).toMatchObject(succeed({ username: 'Anchorline' }));
  expect(await asking().items()).toMatchObject(
    succeed({ items: [{ id: Number(store), name: 'Anchorline' }] }),
  );
  expect(await asking().item(Number(store))).toMatchObject({ value: { kind: 'item' } });
  expect(await asking().item(5)).toEqual(succeed({ kind: 'not-found', msg: '' }));
  await bought(codes.genuine);
  for (const { query, path } of await sandbox.requests()) {
    const fields = new URLSearchParams(query).get('fields')?.split(',');
    expect(fields).not.toContain(path.endsWith('/licenses.json') ? 'ip' : 'secret_key');
  }
});

test.each([
  [`License key: ${codes.genuine}`, codes.genuine],
  [`My key is ${codes.genuine}, thanks`, codes.genuine],
  [`“${codes.oddCharacters}”`, codes.oddCharacters],
  [`<p>${codes.genuine}</p>`, codes.genuine],
  // Keys of other services have no odd characters.
  ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', undefined],
  [`${codes.genuine}x`, undefined],
])('of %j the code is %j', (text, code) => {
  const patterns = codePatternsOf([{ ...place, dialect: defaultDialect }]);
  expect(findCodes(text, { patterns }).map((one) => one.code)).toEqual(
    code === undefined ? [] : [code],
  );
});
