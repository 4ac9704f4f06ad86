import { expect, test } from 'vitest';

import { defaultDialect } from '#core/connections/connection';
import type { RawReply, SellerRequest } from '#core/http/exchange';
import type { Ask, SellerAccess } from '#core/marketplaces/marketplace';
import { type MarketplaceId, marketplaceIds } from '#core/marketplaces/marketplace-id';
import { marketplaceOf } from '#core/marketplaces/readers';
import { routesAt } from '#core/marketplaces/routes';

const product = 'A-m3CDDC5dlrSdKZp0RFhA==';

/** What each request is answered with here, so that the next one follows. */
const body = {
  username: 'fenwick',
  license: 'invalid',
  item: { id: 5, name: 'Lantern' },
  matches: Array.from({ length: 100 }, (_, id) => ({ id, name: 'Lantern' })),
  products: [{ id: product, name: 'Brush pack' }],
  next_page_key: 'second',
  meta: { page: { lastPage: 2 } },
  data: [{ id: '64', attributes: { name: 'Ledgerline' } }],
  items: [{ id: '64', name: 'Tideline' }],
};
const answer: RawReply = {
  status: 200,
  contentType: 'application/json',
  body: new TextEncoder().encode(JSON.stringify(body)),
};
const lastPage: RawReply = {
  ...answer,
  body: new TextEncoder().encode(JSON.stringify({ ...body, matches: [], next_page_key: null })),
};
const unknown: RawReply = { ...answer, status: 404 };

function accessTo(marketplace: MarketplaceId | undefined, baseAddress: string): SellerAccess {
  const connection = {
    id: 'one',
    name: 'One',
    baseAddress,
    revision: 1,
    store: '4711',
    dialect: { ...defaultDialect, keyPlacement: 'Authorization' as const },
    ...(marketplace !== undefined && { marketplace }),
  };
  return { connection, apiKey: baseAddress, deadline: 0 };
}

/** Returns every request that the four questions come to, of two accesses in step. */
async function requestsOf(marketplace: MarketplaceId | undefined, accesses: SellerAccess[]) {
  const sent: SellerRequest[][] = [];
  const ask: Ask = (call) => {
    const requests = accesses.map((access) => call.build(access));
    sent.push(requests);
    const url = requests[0]?.url ?? '';
    const listed = /page=2|page_key/u.test(url) ? lastPage : answer;
    return Promise.resolve(call.read(url.includes('/author/sale') ? unknown : listed, 0));
  };
  const market = marketplaceOf(accesses[0]?.connection ?? {});
  await market.account(ask);
  await market.items(ask);
  await ask(market.item(marketplace === 'gumroad' ? product : 64));
  await ask(market.purchase('a b+c', { item: { id: product, name: '' }, store: '4711' }));
  return sent;
}

/** Reads the parameters of a request, as the relay does. */
function valuesOf({ url, body: sent }: SellerRequest, names: readonly string[]): string[] {
  const body = sent?.type === 'text' ? sent.text : '';
  const form = new URLSearchParams(
    body.startsWith('{') ? (JSON.parse(body) as Record<string, string>) : body,
  );
  const query = new URL(url).searchParams;
  return names.map((name) => form.get(name) ?? query.get(name) ?? '');
}

test.each([undefined, ...marketplaceIds])(
  'a relay makes each request of %s anew as it would have been made directly',
  async (marketplace) => {
    const access = accessTo(marketplace, 'https://relay.test/c/one');
    const relay = { ...access, connection: { ...access.connection, throughRelay: true as const } };
    const direct = accessTo(marketplace, 'https://market.test');
    const questions = new Set<string>();
    for (const [toRelay, expected] of await requestsOf(marketplace, [relay, direct])) {
      if (toRelay === undefined) continue;
      const { pathname } = new URL(toRelay.url);
      const found = routesAt(toRelay.method, pathname.slice('/c/one'.length)).find(
        (one) => one.marketplace === marketplace,
      );
      const values = valuesOf(toRelay, found?.route.parameters ?? []);
      const call = found?.route.call([...found.inPath, ...values], '4711');
      expect(call?.build(direct)).toEqual(expected);
      questions.add(found?.route.question ?? '');
    }
    expect([...questions].toSorted()).toEqual(['account', 'item', 'items', 'validation']);
  },
);

test.each([
  ['GET', '/v2/products/..'],
  ['GET', '/v2/products/a%2Fb'],
  ['GET', '/v2/products/'],
  ['DELETE', '/v2/products/a'],
  ['POST', '/v1/licenses/activate'],
  ['PUT', '/v2/licenses/decrement_uses_count'],
  ['GET', '/v2/sales/a'],
  ['GET', '/v1/orders'],
  ['POST', '/v1/license-keys/validate'],
  ['POST', '/v1/customer-portal/license-keys/activate'],
  ['GET', '/v3/market/author/sales'],
])('%s %s is no request that a relay makes', (method, path) => {
  expect(routesAt(method, path)).toEqual([]);
});
