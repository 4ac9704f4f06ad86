import { afterEach, beforeEach, expect, test } from 'vitest';

import { type Result, succeed } from '#core/result';
import type { MediaFault } from '#messaging/topics/items';
import { type TinyServer, startTinyServer } from '#tests/adapters/http/tiny-server';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';

const gif = 'GIF89a';

/** A shop on loopback with pictures of every kind. */
let shop: TinyServer;
/** A program on loopback that has nothing to do with the shop. */
let router: TinyServer;
let harness: WorkerHarness;
let connectionId: string;

beforeEach(async () => {
  harness = await createWorkerHarness();
  router = await startTinyServer((_, response) => response.end(gif));
  shop = await startTinyServer(({ url }, response) => {
    if (url === '/moved.gif') response.writeHead(302, { location: `${router.origin}/reboot` });
    if (url === '/missing.gif') response.writeHead(404);
    if (url === '/page.gif') {
      response.setHeader('content-type', 'image/gif');
      response.end('<!doctype html><title>no picture</title>');
    } else if (url === '/large.gif') response.end(gif + 'x'.repeat(8 * 1024 * 1024));
    else response.end(gif);
  });
  ({ id: connectionId } = await harness.connect('/market', { baseAddress: `${shop.origin}/shop` }));
});
afterEach(() => Promise.all([harness.close(), shop.close(), router.close()]));

const ask = (address: string): Promise<Result<string, MediaFault>> =>
  harness.ask('items.media', { connectionId, address });

test('a picture of the connection’s own origin comes as data, of the type that its content has', async () => {
  expect(await ask(`${shop.origin}/fine.png`)).toEqual(
    succeed(`data:image/gif;base64,${btoa(gif)}`),
  );
});

test('its request holds no key, no cookie and no referrer', async () => {
  await ask(`${shop.origin}/fine.gif`);
  const { url, headers } = shop.requests[0] ?? {};
  expect(url).toBe('/fine.gif');
  expect(JSON.stringify(headers)).not.toContain(harness.sandbox.keys['/market']);
  expect(headers).not.toHaveProperty('cookie');
  expect(headers).not.toHaveProperty('referer');
});

test('a public address is left to the page, and not asked for by the worker', async () => {
  const address = 'https://cdn.example/a.png';
  expect(await ask(address)).toEqual(succeed(address));
});

test('nothing else on this machine is asked for', async () => {
  const { port } = new URL(router.origin);
  for (const host of ['127.0.0.1', '0x7f.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]'])
    expect(await ask(`http://${host}:${port}/reboot`)).toMatchObject({
      fault: { kind: 'not-allowed' },
    });
  expect(router.requests).toEqual([]);
});

test('a redirect is not followed', async () => {
  expect(await ask(`${shop.origin}/moved.gif`)).toMatchObject({ fault: { kind: 'unavailable' } });
  expect(router.requests).toEqual([]);
});

test.each([
  ['missing.gif', 'unavailable'],
  ['large.gif', 'unavailable'],
  ['page.gif', 'no-media'],
])('%s is not shown: %s', async (file, kind) => {
  expect(await ask(`${shop.origin}/${file}`)).toMatchObject({ fault: { kind } });
});

test('nothing is asked for without the browser’s permission, or for a connection that is gone', async () => {
  harness.granted.clear();
  expect(await ask(`${shop.origin}/fine.gif`)).toMatchObject({ fault: { kind: 'not-allowed' } });
  harness.granted.add('http://127.0.0.1/*');
  await harness.ask('connections.delete', { id: connectionId });
  expect(await ask(`${shop.origin}/fine.gif`)).toMatchObject({ fault: { kind: 'not-allowed' } });
  expect(await ask('https://cdn.example/a.png')).toMatchObject({ fault: { kind: 'not-allowed' } });
  expect(shop.requests).toEqual([]);
});
