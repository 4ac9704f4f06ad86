import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  defaultDialect,
  type Dialect,
  type PostEncoding,
  alternativesTo,
} from '#core/connections/connection';
import {
  accountRequest,
  itemRequest,
  itemsRequest,
  validationRequest,
} from '#core/marketplaces/seller-api/reader';
import type { SellerAccess } from '#core/marketplaces/marketplace';

const key = 'k&y=+é';
const encodings: PostEncoding[] = ['form', 'json', 'multipart', 'query'];

function access(dialect: Partial<Dialect> = {}): SellerAccess {
  return {
    connection: {
      id: 'c1',
      name: 'Shop',
      revision: 1,
      baseAddress: 'https://market.test/shop',
      dialect: { ...defaultDialect, ...dialect },
    },
    apiKey: key,
    deadline: 0,
  };
}

describe('the endpoints of spec section 4', () => {
  const path = 'https://market.test/shop/api';
  const query = 'api_key=k%26y%3D%2B%C3%A9';

  test.each([
    ['account details', accountRequest(access()), `${path}/account/details?${query}`],
    ['all items', itemsRequest(access()), `${path}/items/all?${query}`],
    ['one item', itemRequest(access(), 41), `${path}/items/item?${query}&item_id=41`],
  ])('%s is a GET with the key in its query', (_name, request, url) => {
    expect(request).toMatchObject({ method: 'GET', url, headers: { Accept: 'application/json' } });
    expect(request.body).toBeUndefined();
  });

  test('validation is a POST with both parameters in a form', () => {
    const request = validationRequest(access(), 'ab c');
    expect(request).toMatchObject({
      method: 'POST',
      url: `${path}/purchases/validation`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      body: { type: 'text', text: `${query}&purchase_code=ab+c` },
    });
  });

  test('a list of items may take a minute and 32 MiB, the others 10 s and 1 MiB', () => {
    const one = { timeoutMs: 10_000, maxBytes: 1_048_576 };
    expect(itemsRequest(access())).toMatchObject({ timeoutMs: 60_000, maxBytes: 33_554_432 });
    expect(accountRequest(access())).toMatchObject(one);
    expect(itemRequest(access(), 1)).toMatchObject(one);
    expect(validationRequest(access(), 'x')).toMatchObject(one);
  });
});

describe('encodings of validation', () => {
  test('json', () => {
    expect(validationRequest(access({ encoding: 'json' }), 'c')).toMatchObject({
      headers: { 'Content-Type': 'application/json' },
      body: { type: 'text', text: JSON.stringify({ api_key: key, purchase_code: 'c' }) },
    });
  });

  test('multipart, whose boundary is the runtime’s to choose', () => {
    const request = validationRequest(access({ encoding: 'multipart' }), 'c');
    expect(request.headers).toEqual({ Accept: 'application/json' });
    expect(request.body).toEqual({
      type: 'multipart',
      fields: [
        ['api_key', key],
        ['purchase_code', 'c'],
      ],
    });
  });

  test('query, without a body', () => {
    const request = validationRequest(access({ encoding: 'query' }), 'c');
    expect(request.body).toBeUndefined();
    expect(Object.fromEntries(new URL(request.url).searchParams)).toEqual({
      api_key: key,
      purchase_code: 'c',
    });
  });
});

describe('a key in a header', () => {
  test.each([
    ['X-API-Key', 'X-API-Key', key],
    ['Authorization', 'Authorization', `Bearer ${key}`],
  ] as const)('%s', (keyPlacement, header, value) => {
    expect(accountRequest(access({ keyPlacement })).headers[header]).toBe(value);
  });

  test('stands there alone, whatever the encoding and the endpoint', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('X-API-Key' as const, 'Authorization' as const),
        fc.constantFrom(...encodings),
        (keyPlacement, encoding) => {
          const asked = access({ keyPlacement, encoding });
          const requests = [
            accountRequest(asked),
            itemsRequest(asked),
            itemRequest(asked, 1),
            validationRequest(asked, 'code'),
          ];
          for (const { url, body } of requests) {
            expect(url + JSON.stringify(body ?? '')).not.toContain('api_key');
            expect(decodeURIComponent(url) + JSON.stringify(body ?? '')).not.toContain(key);
          }
        },
      ),
    );
  });
});

describe('alternatives', () => {
  const ways = (dialects: Dialect[]): string[] =>
    dialects.map(({ keyPlacement, encoding }) => `${keyPlacement} ${encoding}`);

  test('the other encodings, in order', () => {
    expect(ways(alternativesTo(defaultDialect))).toEqual([
      'parameter json',
      'parameter multipart',
      'parameter query',
    ]);
    expect(ways(alternativesTo({ ...defaultDialect, encoding: 'multipart' }))).toEqual([
      'parameter form',
      'parameter json',
      'parameter query',
    ]);
  });

  test('then the headers, each with every encoding', () => {
    const all = ways(alternativesTo(defaultDialect, 'placements-too'));
    expect(all).toHaveLength(11);
    expect(all.slice(3, 5)).toEqual(['X-API-Key form', 'X-API-Key json']);
    expect(all.at(-1)).toBe('Authorization query');
  });

  test('a key of a header is never tried as a parameter', () => {
    const all = ways(
      alternativesTo({ ...defaultDialect, keyPlacement: 'X-API-Key' }, 'placements-too'),
    );
    expect(all).toHaveLength(7);
    expect(all.join()).not.toContain('parameter');
  });

  test('none counts as proven, and the rest of the dialect stays', () => {
    const proven = { ...defaultDialect, proven: true, plainUserAgent: true, requestsPerMinute: 7 };
    for (const other of alternativesTo(proven, 'placements-too')) {
      expect(other).toMatchObject({ proven: false, plainUserAgent: true, requestsPerMinute: 7 });
    }
  });
});
