import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createSellerHttp } from '#adapters/http/http-exchange';
import { defaultDialect } from '#core/connections/index';
import type { PurchaseReply } from '#core/marketplaces/asking';
import type { SendCall } from '#core/marketplaces/marketplace';
import { type Fault, marketplaceIds } from '#core/marketplaces/index';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { marketplaceOf } from '#core/marketplaces/readers';
import { relayRulesOf } from '#core/marketplaces/routes';
import { readRelayFailure } from '#core/team/index';
import { type Result, fail, succeed } from '#core/result';
import { dayMs } from '#core/time/index';
import { codes as gumroadCodes } from '#sandbox/marketplaces/gumroad';
import { codes as lemonSqueezyCodes } from '#sandbox/marketplaces/lemon-squeezy';
import { codes as polarCodes } from '#sandbox/marketplaces/polar';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import type { ReceivedRequest } from '#sandbox/seller/request-log';
import { countingUpstream } from '#tests/relay/support/counting-upstream';
import { connectMarketplaces, optionsOf } from '#tests/relay/support/marketplaces';
import {
  callThrough,
  type RelayFiles,
  type StartedRelay,
  relayOn,
  stores,
} from '#tests/relay/support/relay';
import { expectations } from '#tests/support/expectations';
import { openSandbox, type TestSandbox } from '#tests/support/sandbox';

const product = 'A-m3CDDC5dlrSdKZp0RFhA==';
const http = createSellerHttp({
  fetch,
  isOnline: () => true,
  now: Date.now,
  setsUserAgent: false,
  retryDelays: [],
});

/** Rounds moments, which the sandbox counts from each request. */
const inDays = (reply: unknown): unknown =>
  JSON.parse(JSON.stringify(reply), (_, value: unknown) =>
    typeof value === 'number' && value > 1e12 ? Math.floor(value / dayMs) : value,
  );

describe.each(stores)('through a relay on %s', (store) => {
  let sandbox: TestSandbox;
  let files: RelayFiles;
  let relay: StartedRelay;
  let agent: string;
  let lead: string;

  beforeAll(async () => {
    sandbox = await openSandbox();
    files = await relayOn(store);
    await connectMarketplaces(files, sandbox);
    await files.admin('roles set lead balance email profile');
    agent = await files.join('agent@fenwick.test');
    lead = await files.join('lead@fenwick.test', 'lead');
    relay = await files.start();
  });
  afterAll(async () => {
    await relay.stop();
    await sandbox.close();
    files.remove();
  });
  beforeEach(() => sandbox.reset());

  /** Asks as the extension does: directly with the marketplace's key, or through the relay with an agent's token. */
  function asking(marketplace: MarketplaceId, token?: string, relayed: string = marketplace) {
    const through = token !== undefined;
    const baseAddress = through
      ? `${relay.origin}/c/${relayed}`
      : `${sandbox.origin}/${marketplace}`;
    const { store: ownStore } = emulations[marketplace];
    const connection = {
      id: 'one',
      name: 'One',
      revision: 1,
      dialect: defaultDialect,
      ...(through && { throughRelay: true as const }),
      baseAddress,
      marketplace,
      ...(ownStore !== undefined && { store: ownStore }),
    };
    const apiKey = token ?? sandbox.tokens[`/${marketplace}`].whole;
    const ask: SendCall = async (call) => {
      const raw = await http(call.build({ connection, apiKey }));
      if (!raw.ok) return raw;
      const failure = through ? readRelayFailure(raw.value, Date.now()) : undefined;
      return failure === undefined ? call.read(raw.value, Date.now()) : fail(failure);
    };
    const market = marketplaceOf(connection);
    const whole = async (reply: Result<PurchaseReply, Fault>) => {
      if (!reply.ok || reply.value.kind === 'not-found') return reply;
      const { complete, ...told } = reply.value;
      const completed = await complete?.(ask);
      if (completed === undefined) return reply;
      return completed.ok ? succeed({ ...told, purchase: completed.value }) : completed;
    };
    return {
      account: () => market.account(ask),
      items: () => market.items(ask),
      item: (id: number | string) => ask(market.item(id)),
      purchase: async (code: string, id = product) =>
        whole(
          await ask(market.purchase(code, { item: { id, name: 'Brush pack' }, store: ownStore })),
        ),
      lookUp: async (code: string) =>
        market.lookUp === undefined ? null : whole(await ask(market.lookUp(code))),
    };
  }

  /** Returns the requests that reached the marketplace, with whether each held the key of the connection. */
  async function reached(id: MarketplaceId) {
    const { whole } = sandbox.tokens[`/${id}`];
    const holdsKey = (request: ReceivedRequest): boolean => JSON.stringify(request).includes(whole);
    const all = (await sandbox.requests()).filter(({ path }) => path.startsWith(`/${id}/`));
    return all.map((request) => ({ path: request.path, request, keyed: holdsKey(request) }));
  }

  test('each product is a question of its own, and a success is kept', async () => {
    const { lastOfMany } = gumroadCodes;
    const ask = (id: string) => asking('gumroad', agent).purchase(lastOfMany, id);
    const other = 'manymanymanymany000504==';
    expect(await ask(product)).toMatchObject({ value: { kind: 'not-found' } });
    expect(await ask(other)).toMatchObject({ value: { kind: 'purchase' } });
    expect(await ask(other)).toMatchObject({ value: { kind: 'purchase' } });
    expect(await reached('gumroad')).toHaveLength(2);
    const rows = await files.admin('audit csv');
    expect(rows).toMatch(/,reply,cached,[^\n]+,gumroad,validation,[^\n]+,3928/u);
  });

  test.each(marketplaceIds)('a check with %s counts once, whatever it takes', async (id) => {
    const connection = `counted-${id}`;
    const { whole } = sandbox.tokens[`/${id}`];
    await files.connect(connection, `${sandbox.origin}/${id}`, whole, optionsOf(id));
    const [genuine = ''] = Object.values(emulations[id].codes);
    const unknown = '11111111-1111-4111-8111-111111111111';
    const item = id === 'easy-digital-downloads' ? '712' : product;
    for (const token of [agent, lead]) {
      const { purchase } = asking(id, token, connection);
      expect(await purchase(genuine, item)).toMatchObject({ value: { kind: 'purchase' } });
      expect(await purchase(unknown)).toMatchObject({ value: { kind: 'not-found' } });
    }
    // On PostgreSQL the outcome is written after the reply.
    const counted = () =>
      files.administer(async (store) => {
        const lines = await store.countMonth(new Date().toISOString().slice(0, 7));
        return lines.filter(({ part, name }) => part === 'connection' && name === connection);
      });
    const each = { checks: 4, agents: 2, found: 2, 'not found': 2 };
    await expect.poll(counted).toMatchObject([each]);
    const codes = new Set<string>();
    await files.administer((store) =>
      store.readAudit(undefined, (row) => {
        const isOfCheck = row.call === 'validation' || row.call === 'follow-up';
        if (row.connection === connection && isOfCheck) codes.add(row.codeHmac ?? '');
      }),
    );
    codes.delete('');
    expect(codes.size).toBe(2);
  });

  test('a look at the account is no check of a code', async () => {
    await asking('envato', agent).account();
    const rows = (await files.admin('audit csv')).split('\n');
    expect(rows.filter((row) => row.endsWith(',0000,') || row.includes(',validation,,'))).toEqual(
      [],
    );
    expect(rows.some((row) => row.includes(',envato,account,') && row.includes(',0000'))).toBe(
      true,
    );
  });

  test('a relay holds no key where none is needed, and asks what needs none', async () => {
    await files.admin(`connections add open ${sandbox.origin}/polar ${optionsOf('polar')}`);
    expect(await files.admin('keys set open', '')).toContain('The marketplace takes it.');
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${relay.origin}/c/open${path}`, {
        ...init,
        headers: { authorization: `Bearer ${agent}` },
      });
    const body = new URLSearchParams({ key: polarCodes.granted });
    const path = '/v1/customer-portal/license-keys/validate';
    const checked = await ask(path, { method: 'POST', body });
    expect(await checked.json()).toMatchObject({ status: 'granted' });
    const listed = await ask('/v1/products/');
    expect(listed.headers.get('counterfoil-relay-failure')).toBe('no-key');
  });

  test('a 429 with Retry-After holds everybody back', async () => {
    const { whole } = sandbox.tokens['/envato'];
    await files.connect('held', `${sandbox.origin}/envato`, whole, optionsOf('envato'));
    await sandbox.injectFault('/envato', { fault: 'too-many-429', retryAfter: 30 });
    const ask = async (): Promise<string | null> => {
      const path = '/v3/market/author/sale?code=abc';
      const reply = await callThrough(`${relay.origin}/c/held`, agent, path);
      return reply.headers.get('counterfoil-relay-failure') && reply.headers.get('retry-after');
    };
    expect(Number(await ask())).toBeGreaterThan(20);
    // On PostgreSQL the hold is written after the reply.
    await expect.poll(async () => Number(await ask())).toBeGreaterThan(20);
    const before = (await reached('envato')).length;
    expect(Number(await ask())).toBeGreaterThan(20);
    expect(await reached('envato')).toHaveLength(before);
  });

  // What is stored has no part in these.
  if (store === 'SQLite') {
    test.each(marketplaceIds)('%s gives the same answers as directly', async (id) => {
      const [direct, relayed] = [asking(id), asking(id, lead)];
      for (const code of Object.values(emulations[id].codes)) {
        expect(inDays(await relayed.purchase(code))).toEqual(inDays(await direct.purchase(code)));
        expect(inDays(await relayed.lookUp(code))).toEqual(inDays(await direct.lookUp(code)));
      }
      expect(await relayed.account()).toEqual(await direct.account());
      const items = await direct.items();
      expect(await relayed.items()).toEqual(items);
      const [first] = items.ok ? items.value.items : [];
      for (const item of [...(first === undefined ? [] : [first.id]), 'none-of-ours', 4]) {
        expect(await relayed.item(item)).toEqual(await direct.item(item));
      }
    });

    test.each(marketplaceIds)('%s shows of its account what the role may see', async (id) => {
      const account = await asking(id, agent).account();
      expect(account).toMatchObject({ ok: true });
      const seen = JSON.stringify(account);
      expect(seen).toMatch(expectations[id].account);
      expect(seen).not.toMatch(/310\.4|ada@|img\.example/u);
    });

    test.each(marketplaceIds)(
      'to %s a key is sent where it wants one alone, and an agent’s token nowhere',
      async (id) => {
        const { whole } = sandbox.tokens[`/${id}`];
        const [genuine = ''] = Object.values(emulations[id].codes);
        await asking(id, agent).account();
        await asking(id, agent).items();
        // What an earlier test asked may be in the cache.
        await asking(id, agent).purchase(genuine, 'never-asked-before');
        await asking(id, agent).purchase('11111111-1111-4111-8111-111111111111');
        const sent = await reached(id);
        expect(sent.length).toBeGreaterThan(1);
        expect(JSON.stringify(sent)).not.toContain(agent);
        for (const { request, path, keyed } of sent) {
          const { authorization = '' } = request.headers;
          const { status } = await fetch(`${sandbox.origin}${path}${request.query}`, {
            method: request.method,
            headers: {
              'content-type': request.headers['content-type'] ?? '',
              authorization: authorization.replace(whole, ''),
            },
            ...(request.body !== '' && { body: request.body.replace(whole, '') }),
          });
          expect([path, keyed]).toEqual([path, status === 401 || status === 403]);
        }
      },
    );

    test('a use is never counted, whatever an agent’s program sends', async () => {
      const body = {
        license_key: gumroadCodes.cancelled,
        product_id: product,
        increment_uses_count: 'true',
      };
      for (const fresh of ['no-cache', 'max-age=0', 'no-cache']) {
        const reply = await fetch(`${relay.origin}/c/gumroad/v2/licenses/verify`, {
          method: 'POST',
          headers: { authorization: `Bearer ${agent}`, 'cache-control': fresh },
          body: new URLSearchParams(body),
        });
        expect(await reply.json()).toMatchObject({ success: true, uses: 3 });
      }
      const sent = await reached('gumroad');
      expect(sent).toHaveLength(2);
      for (const { request } of sent)
        expect(JSON.stringify(request)).toContain('increment_uses_count');
    });

    test('a path of another marketplace is no question to this one', async () => {
      for (const path of [
        'envato/v2/user',
        'gumroad/api/items/all',
        'lemon-squeezy/v2/products/a',
      ]) {
        const reply = await callThrough(`${relay.origin}/c/`, agent, path);
        expect(reply.headers.get('counterfoil-relay-failure')).toBe('not-a-seller-call');
      }
      expect(await sandbox.requests()).toEqual([]);
    });

    test('a key of another store is not ours, and the products are those of our own', async () => {
      const { otherStore } = lemonSqueezyCodes;
      expect(await asking('lemon-squeezy', agent).purchase(otherStore)).toMatchObject({
        value: { kind: 'not-found' },
      });
      const path = '/c/lemon-squeezy/v1/products?filter%5Bstore_id%5D=815';
      const headers = { 'cache-control': 'no-cache' };
      const reply = await callThrough(relay.origin, agent, path, { headers });
      expect(await reply.json()).toMatchObject({ data: [{ attributes: { store_id: 4711 } }] });
    });

    test.each(marketplaceIds)('%s that sends the key back is not passed on', async (id) => {
      const seller = await countingUpstream();
      const key = `echoed-key-of-${id}`;
      await files.connect(`echo-${id}`, seller.origin, key, optionsOf(id));
      seller.replyWith({ status: 200, body: JSON.stringify({ debug: key }) });
      const { routes } = relayRulesOf(id);
      const { method, path = '' } = routes.find(({ kind }) => kind === 'account') ?? {};
      const options = method === 'POST' ? { code: '-' } : {};
      const reply = await callThrough(`${relay.origin}/c/echo-${id}`, lead, path, options);
      expect(reply.headers.get('counterfoil-relay-failure')).toBe('upstream-echoed-key');
      await seller.close();
    });

    test.each(marketplaceIds)('a key of %s is tried before it is kept', async (id) => {
      const { whole } = sandbox.tokens[`/${id}`];
      expect(await files.admin(`keys set ${id}`, whole)).toContain('The marketplace takes it.');
      await expect(files.admin(`keys set ${id}`, 'a-wrong-key-of-nobody')).rejects.toThrow(
        'refuses the key',
      );
      if (id === 'envato') {
        const limited = sandbox.token('/envato', 'limited');
        await expect(files.admin(`keys set ${id}`, limited)).rejects.toThrow(
          /status 403\..*the permission that it lacks/u,
        );
      }
    });
  }
});
