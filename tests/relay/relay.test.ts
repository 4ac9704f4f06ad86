import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  account,
  callThrough,
  type RelayFiles,
  type StartedRelay,
  relayFiles,
  shopRelay,
  stores,
  validation,
} from '#tests/relay/support/relay';

let files: RelayFiles;
let relay: StartedRelay;
beforeEach(async () => {
  files = relayFiles();
  relay = await files.start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await relay.stop();
  files.remove();
});

test('a relay that is told twice to stop stops once', async () => {
  await Promise.all([relay.stop(), relay.stop()]);
  const stopped = relay.logged().match(/"event":"(?:draining|stopped)"/g);
  expect(stopped).toEqual(['"event":"draining"', '"event":"stopped"']);
});

test('a HEAD is answered once, whoever answers it', async () => {
  const complained = vi.spyOn(console, 'error').mockReturnValue();
  const head = async (path: string): Promise<number> =>
    (await fetch(relay.origin + path, { method: 'HEAD' })).status;
  expect(await head('/healthz')).toBe(200);
  expect(await head('/c/shop/api/account/details')).toBe(401);
  expect(await head('/nowhere')).toBe(403);
  expect(complained.mock.calls).toEqual([]);
});

test('a relay whose clock is far ahead drops nothing of the audit, and says so', async () => {
  await files.admin('audit keep 12');
  await relay.stop();
  const ahead = { now: () => Date.now() + 700 * 86_400_000, paceNow: () => Date.now() };
  relay = await files.start({ clocks: ahead });
  await expect.poll(() => relay.logged()).toContain('"event":"audit-drop-refused"');
  expect(await files.admin('audit csv')).toContain(',audit-kept-12-months,');
});

test('an idle connection is kept for longer than a proxy keeps it, which would send a call while it is closed', async () => {
  const reply = await fetch(`${relay.origin}/healthz`);
  const seconds = /timeout=(\d+)/.exec(reply.headers.get('keep-alive') ?? '')?.[1];
  expect(Number(seconds)).toBeGreaterThan(60);
});

test('a second relay on the same embedded database is refused, until the first has ended', async () => {
  await expect(files.start()).rejects.toThrow(`Another relay serves from ${files.database}`);
  expect((await fetch(`${relay.origin}/readyz`)).status).toBe(200);
  await relay.stop();
  relay = await files.start();
});

test('a relay that cannot listen says where, and what to do', async () => {
  const second = relayFiles();
  await expect(second.start({ port: relay.port })).rejects.toThrow(
    `Cannot listen at 127.0.0.1, port ${String(relay.port)}: another program does; end it`,
  );
  await expect(second.start({ host: '192.0.2.1' })).rejects.toThrow('correct RELAY_HOST');
  second.remove();
});

test('Prometheus may be let in at another address than agents', async () => {
  await relay.stop();
  relay = await files.start({ metricsHost: '127.0.0.2' });
  const at = (host: string): Promise<Response> =>
    fetch(`http://${host}:${String(relay.metricsPort)}/metrics`);
  expect((await at('127.0.0.2')).status).toBe(200);
  await expect(at('127.0.0.1')).rejects.toThrow();
});

describe.each(stores)('with an agent on %s', (store) => {
  const shop = shopRelay(store);

  test('a stop waits for the outcome of a call whose client has gone', async () => {
    const letGo = shop.seller.hold();
    const client = new AbortController();
    const asked = fetch(`${shop.relay.origin}/c/shop${validation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.token}` },
      body: new URLSearchParams({ purchase_code: 'code' }),
      signal: client.signal,
    });
    await expect.poll(() => shop.seller.arrived.length).toBe(1);
    client.abort();
    await expect(asked).rejects.toThrow();
    await shop.relay.stop();
    letGo();
    const kinds = (await shop.files.admin('audit csv')).matchAll(/,(intent|outcome|reply),/g);
    expect([...kinds].map(([, kind]) => kind)).toEqual(['intent', 'outcome', 'reply', 'reply']);
    expect(shop.relay.logged()).not.toContain('store-fault');
  });

  test('a reply without content has no length', async () => {
    const headers = { authorization: `Bearer ${shop.token}` };
    const left = await fetch(`${shop.relay.origin}/relay/v1/token`, { method: 'DELETE', headers });
    expect([left.status, left.headers.get('content-length')]).toEqual([204, null]);
  });

  test('a token in the path is refused as one in a query is', async () => {
    const reply = await callThrough(`${shop.relay.origin}/c/${shop.token}`, shop.token, account);
    expect([reply.status, await reply.text()]).toEqual([
      401,
      expect.stringContaining('token-misplaced'),
    ]);
  });
});
