import { describe, expect, test } from 'vitest';

import { itemIdOf, messageIn } from '#core/marketplaces/json-api';
import { envato } from '#core/marketplaces/envato/reader';
import { gumroad } from '#core/marketplaces/gumroad/reader';
import { lemonSqueezy } from '#core/marketplaces/lemon-squeezy/reader';
import { fail } from '#core/result';
import { accessTo, answering } from '#tests/core/marketplaces/market-answers';
import { rawReply, rawText } from '#tests/core/marketplaces/wire-examples';

describe('what is sent', () => {
  const throughRelay = { throughRelay: true } as const;

  test('a marketplace is sent its key, what is accepted, and nothing that is for a relay', () => {
    const access = accessTo({ fresh: true, priority: 'bulk' });
    expect(envato.purchase('c', {}).build(access)).toEqual({
      method: 'GET',
      url: 'https://market.test/v3/market/author/sale?code=c',
      headers: { Accept: 'application/json', Authorization: 'Bearer key' },
      timeoutMs: 10_000,
      maxBytes: 1_048_576,
    });
    expect(lemonSqueezy.item(64).build(access)).toMatchObject({
      url: 'https://market.test/v1/products/64',
      headers: {
        Accept: 'application/vnd.api+json',
        'Content-Type': 'application/vnd.api+json',
        Authorization: 'Bearer key',
      },
    });
  });

  test('the check of a license is sent no key', () => {
    expect(lemonSqueezy.purchase('a b', {}).build(accessTo({ fresh: true }))).toEqual({
      method: 'POST',
      url: 'https://market.test/v1/licenses/validate',
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8',
      },
      body: { type: 'text', text: 'license_key=a+b' },
      timeoutMs: 10_000,
      maxBytes: 1_048_576,
    });
  });

  test.each([
    ['a single check', {}, { 'Cache-Control': 'max-age=3600' }],
    ['a check anew', { fresh: true }, { 'Cache-Control': 'no-cache' }],
    ['no check anew', { fresh: false }, { 'Cache-Control': 'max-age=3600' }],
    [
      'bulk work',
      { priority: 'bulk' },
      { 'Cache-Control': 'max-age=3600', 'Counterfoil-Work': 'bulk' },
    ],
  ] as const)('a relay learns that it is %s, and gets its token', (_, more, headers) => {
    const access = accessTo(more, throughRelay);
    const common = { Accept: 'application/json', Authorization: 'Bearer key', ...headers };
    expect(gumroad.item('a').build(access).headers).toEqual(common);
    expect(gumroad.purchase('c', {}).build(access).headers).toEqual({
      ...common,
      'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8',
    });
  });
});

describe('which status is which fault', () => {
  const account = (raw: ReturnType<typeof rawReply>) => gumroad.account(answering(() => raw).ask);

  test.each([
    ['401', rawReply({ error: 'No.' }, 401), { kind: 'refused', msg: 'No.', about: 'key' }],
    [
      '403',
      rawText('', 403),
      { kind: 'refused', msg: 'HTTP 403', about: 'key', permission: 'view_sales' },
    ],
    ['404 in JSON', rawReply({ message: 'No such page' }, 404), { kind: 'api-off' }],
    ['404 in HTML', rawText('<html>', 404), { kind: 'api-off' }],
    ['422', rawReply({ message: 'Odd.' }, 422), { kind: 'refused', msg: 'Odd.', about: 'request' }],
    [
      '300',
      rawReply({ user: { name: 'Ada' } }, 300),
      { kind: 'refused', msg: '', about: 'request' },
    ],
    [
      '200 that says it failed',
      rawReply({ success: false, message: 'Odd.', user: { name: 'Ada' } }),
      { kind: 'refused', msg: 'Odd.', about: 'request' },
    ],
    ['500 in JSON', rawReply({ message: 'Odd.' }, 500), { kind: 'server-error', status: 500 }],
    ['a list', rawReply([]), { kind: 'unreadable', path: '$' }],
    ['no owner', rawReply({ success: true }), { kind: 'unreadable', path: 'user' }],
    ['an owner that is text', rawReply({ user: 'Ada' }), { kind: 'unreadable', path: 'user' }],
  ])('%s', async (_, raw, fault) => {
    expect(await account(raw)).toStrictEqual(fail(fault));
  });

  test.each([200, 201, 299])('%i is an answer', async (status) => {
    expect(await account(rawReply({ user: { name: 'Ada' } }, status))).toMatchObject({ ok: true });
  });
});

describe('a page of a gateway says nothing about a key', () => {
  const wall = rawText('<!DOCTYPE html><title>One moment…</title>', 403);
  const fault = { kind: 'not-json', status: 403, userAgent: 'ruled-out' };

  test.each([
    ['account', (raw: typeof wall) => envato.account(answering(() => raw).ask)],
    ['items', (raw: typeof wall) => gumroad.items(answering(() => raw).ask)],
    ['item', (raw: typeof wall) => lemonSqueezy.item(64).read(raw, 0)],
    ['purchase', (raw: typeof wall) => envato.purchase('c', {}).read(raw, 0)],
    ['license', (raw: typeof wall) => gumroad.purchase('c', {}).read(raw, 0)],
    ['license', (raw: typeof wall) => lemonSqueezy.purchase('c', {}).read(raw, 0)],
  ] as const)('nor about anything else: %s', async (_, read) => {
    expect(await read(wall)).toEqual(fail(fault));
    expect(await read({ ...wall, status: 401 })).toEqual(fail({ ...fault, status: 401 }));
  });

  test.each([gumroad, lemonSqueezy])(
    'a refusal of what was sent without a key is none of the key',
    ({ purchase }) => {
      const refused = { kind: 'refused', msg: 'No.', about: 'request' };
      expect(purchase('c', {}).read(rawReply({ message: 'No.' }, 403), 0)).toEqual(fail(refused));
    },
  );
});

describe('what a server says of an error', () => {
  test.each([
    [{ error: 'not_found', description: 'No such sale' }, 'No such sale'],
    [{ error: 'invalid_token', error_description: 'It expired' }, 'It expired'],
    [{ error: null, message: 'Gone' }, 'Gone'],
    [{ errors: [{ title: 'Not Found', detail: 'No such product' }] }, 'No such product'],
    [{ errors: [{ title: 'Not Found' }, { title: 'Second' }] }, 'Not Found'],
    [{ error_description: '', message: 'Gone' }, 'Gone'],
    [{ message: '', errors: [{ detail: 'No such product' }] }, 'No such product'],
    [{ message: '' }, ''],
    [{ errors: [] }, ''],
    [{ errors: 'Gone' }, ''],
    [{ message: 7 }, ''],
    ['Gone', ''],
    [null, ''],
  ])('%j says %j', (body, msg) => {
    expect(messageIn(body)).toBe(msg);
  });
});

test.each([
  ['64', 64],
  ['999999999999999', 999_999_999_999_999],
  // Beyond what a number holds for certain, digits stay text.
  ['1000000000000000', '1000000000000000'],
  ['A-m3CDDC5dlrSdKZp0RFhA==', 'A-m3CDDC5dlrSdKZp0RFhA=='],
  ['64a', '64a'],
  ['a64', 'a64'],
  ['', ''],
])('the id %j in a request is %j in replies', (text, id) => {
  expect(itemIdOf(text)).toBe(id);
});

describe('items page by page', () => {
  const products = (names: readonly (string | undefined)[]) =>
    names.map((name, index) => ({ id: `p${String(index)}`, name }));

  /** Lists an account whose pages are named in order, the first without a name. */
  async function list(pages: Readonly<Record<string, unknown>>) {
    const { ask, sent } = answering(({ searchParams }) =>
      rawReply(pages[searchParams.get('page_key') ?? ''] ?? {}),
    );
    return { reply: await gumroad.items(ask), urls: sent.map(({ url }) => url) };
  }

  test('the next page is asked for by the key that the last one gave, until one gives none', async () => {
    const { reply, urls } = await list({
      '': { products: products(['One', 'Two']), next_page_key: 'a=&b' },
      'a=&b': { products: products(['Three']), next_page_key: null },
    });
    expect(urls).toEqual([
      'https://market.test/v2/products',
      'https://market.test/v2/products?page_key=a%3D%26b',
    ]);
    const names = reply.ok ? reply.value.items.map(({ name }) => name) : reply.fault;
    expect(names).toEqual(['One', 'Two', 'Three']);
  });

  test('an entry that cannot be read is named by its place among all', async () => {
    const { reply } = await list({
      '': { products: products(['One', undefined, 'Three']), next_page_key: 'b' },
      b: { products: products(['Four', undefined]), next_page_key: 'c' },
      c: { products: products(['Six', undefined]) },
    });
    expect(reply).toMatchObject({
      value: {
        items: [{ name: 'One' }, { name: 'Three' }, { name: 'Four' }, { name: 'Six' }],
        unreadable: [
          { index: 1, path: 'products.1.name' },
          { index: 4, path: 'products.1.name' },
          { index: 6, path: 'products.1.name' },
        ],
      },
    });
  });

  test.each([
    ['no list', {}, 'products'],
    ['text in its place', { products: 'none' }, 'products'],
    ['entries of which none can be read', { products: [{ id: 'a' }] }, 'products.0.name'],
  ])('a later page with %s is a fault of the whole', async (_, page, path) => {
    const { reply } = await list({
      '': { products: products(['One']), next_page_key: 'b' },
      b: page,
    });
    expect(reply).toEqual(fail({ kind: 'unreadable', path }));
  });

  test('a list is read to its last page, however many there are', async () => {
    const { ask } = answering(({ searchParams }) => {
      const page = Number(searchParams.get('page_key') ?? 1);
      const next = page < 63 ? String(page + 1) : null;
      return rawReply({ products: products(['One']), next_page_key: next });
    });
    const reply = await gumroad.items(ask);
    expect(reply.ok && reply.value.items).toHaveLength(63);
  });

  test('of a list without end no part is taken for the whole', async () => {
    const { ask } = answering(() =>
      rawReply({ products: products(['One']), next_page_key: 'again' }),
    );
    expect(await gumroad.items(ask)).toEqual(fail({ kind: 'unreadable', path: 'products' }));
  });
});
