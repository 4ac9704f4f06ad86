import { afterAll, beforeAll, expect, test } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import type { RawReply, SellerRequest } from '#core/http/exchange';
import type { SendCall, SellerAccess } from '#core/marketplaces/marketplace';
import { type MarketplaceId, marketplaceIds } from '#core/marketplaces/marketplace-id';
import { marketplaceOf } from '#core/marketplaces/readers';
import { relayRulesOf, routesAt } from '#core/marketplaces/routes';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import { openSandbox, type TestSandbox } from '#tests/support/sandbox';

const product = 'A-m3CDDC5dlrSdKZp0RFhA==';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

/** What the sandbox's reply to each request has here as well, so that lists have more than one page. */
const more = {
  username: 'fenwick',
  item: { id: 5, name: 'Lantern' },
  matches: Array.from({ length: 100 }, (_, id) => ({ id, name: 'Lantern' })),
  products: [{ id: product, name: 'Brush pack' }],
  next_page_key: 'second',
  meta: { page: { lastPage: 2 } },
  data: [{ id: '64', attributes: { name: 'Ledgerline' } }],
};

async function answerTo({ url, method, headers, body }: SellerRequest): Promise<RawReply> {
  const told: unknown = url.startsWith(sandbox.origin)
    ? await fetch(url, {
        method,
        headers,
        ...(body?.type === 'text' && { body: body.text }),
      }).then((reply) => reply.json())
    : {};
  const isLast = /page=2|page_key/u.test(url);
  const whole = {
    ...(told as object),
    ...more,
    ...(isLast && { matches: [], next_page_key: null }),
  };
  return {
    // A sale that is not found makes the account be asked about.
    status: url.includes('/author/sale') ? 404 : 200,
    contentType: 'application/json',
    body: new TextEncoder().encode(JSON.stringify(whole)),
  };
}

function accessTo(
  marketplace: MarketplaceId | undefined,
  baseAddress: string,
  apiKey = baseAddress,
): SellerAccess {
  const connection = {
    id: 'one',
    name: 'One',
    baseAddress,
    revision: 1,
    store: storeOf(marketplace),
    dialect: { ...defaultDialect, keyPlacement: 'Authorization' as const },
    ...(marketplace !== undefined && { marketplace }),
  };
  return { connection, apiKey, deadline: 0 };
}

const storeOf = (marketplace: MarketplaceId | undefined): string =>
  (marketplace && emulations[marketplace].store) ?? '4711';

/** Returns every request that the four questions come to, of two accesses in step. */
async function requestsOf(marketplace: MarketplaceId | undefined, accesses: SellerAccess[]) {
  const sent: SellerRequest[][] = [];
  const ask: SendCall = async (call) => {
    const requests = accesses.map((access) => call.build(access));
    sent.push(requests);
    const [, direct = expect.unreachable()] = requests;
    return call.read(await answerTo(direct), 0);
  };
  const market = marketplaceOf(accesses[0]?.connection ?? {});
  await market.account(ask);
  await market.items(ask);
  await ask(market.item(marketplace === 'gumroad' ? product : 64));
  await ask(
    market.purchase('a b+c', { item: { id: product, name: '' }, store: storeOf(marketplace) }),
  );
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
    const direct =
      marketplace === undefined
        ? accessTo(undefined, 'https://market.test')
        : accessTo(
            marketplace,
            `${sandbox.origin}/${marketplace}`,
            sandbox.tokens[`/${marketplace}`].whole,
          );
    const questions = new Set<string>();
    for (const [toRelay, expected] of await requestsOf(marketplace, [relay, direct])) {
      if (toRelay === undefined) continue;
      const { pathname } = new URL(toRelay.url);
      const found = routesAt(toRelay.method, pathname.slice('/c/one'.length)).find(
        (one) => one.marketplace === marketplace,
      );
      const values = valuesOf(toRelay, found?.route.parameters ?? []);
      const call = found?.route.call([...found.inPath, ...values], storeOf(marketplace));
      expect(call?.build(direct)).toEqual(expected);
      questions.add(found?.route.kind ?? '');
    }
    const kinds = new Set(relayRulesOf(marketplace).routes.map(({ kind }) => kind));
    expect(kinds).toContain('validation');
    kinds.delete('follow-up');
    questions.delete('follow-up');
    expect(questions).toEqual(kinds);
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
