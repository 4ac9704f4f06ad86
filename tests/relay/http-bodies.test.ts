import { request } from 'node:http';
import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { shopRelay, validation } from '#tests/relay/support/relay';

const shop = shopRelay('SQLite', '--limit 6000');

/** Sends a body in pieces, without its length; `cut` breaks the connection in its midst. */
function send(
  pieces: readonly string[],
  cut = false,
  path = `/c/shop${validation}`,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const outgoing = request(shop.relay.origin + path, {
      method: 'POST',
      headers: {
        origin: shop.relay.origin,
        'content-type': 'application/x-www-form-urlencoded',
        'transfer-encoding': 'chunked',
        authorization: `Bearer ${shop.token}`,
      },
    });
    outgoing.on('error', () => {
      resolve(undefined);
    });
    outgoing.on('response', (incoming) => {
      incoming.resume();
      resolve(String(incoming.headers['counterfoil-relay-failure'] ?? String(incoming.statusCode)));
    });
    for (const piece of pieces) outgoing.write(piece);
    if (cut) setTimeout(() => outgoing.destroy(), 50);
    else outgoing.end();
  });
}

const large = 'x'.repeat(65 * 1024);

test('a body in pieces is read whole', async () => {
  expect(await send(['purchase_code=code', '-in-two'])).toBe('200');
  expect(shop.seller.arrived.map(({ code }) => code)).toEqual(['code-in-two']);
});

test('a body that is too large is refused, with its length and without, and asks nobody', async () => {
  expect(await send(['purchase_code=', large])).toBe('request-too-large');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Bearer ${shop.token}`,
  };
  const body = `purchase_code=${large}`;
  const reply = await fetch(`${shop.relay.origin}/c/shop${validation}`, {
    method: 'POST',
    headers,
    body,
  });
  expect([reply.status, reply.headers.get('counterfoil-relay-failure')]).toEqual([
    403,
    'request-too-large',
  ]);
  expect(shop.seller.arrived).toHaveLength(0);
});

test('a body that is compressed asks nobody: its code would be read as an empty one', async () => {
  const reply = await fetch(`${shop.relay.origin}/c/shop${validation}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-encoding': 'gzip',
      authorization: `Bearer ${shop.token}`,
    },
    body: gzipSync('purchase_code=code'),
  });
  expect(reply.headers.get('counterfoil-relay-failure')).toBe('request-unreadable');
  expect(shop.seller.arrived).toHaveLength(0);
});

test('a body that is cut off asks nobody, and the relay goes on', async () => {
  expect(await send(['purchase_code=half'], true)).toBeUndefined();
  expect(await send(['purchase_code=whole'])).toBe('200');
  expect(shop.seller.arrived.map(({ code }) => code)).toEqual(['whole']);
});

describe('a body for joining', () => {
  const paths = ['/relay/v1/token', '/relay/v1/join/invite', '/relay/v1/join/confirm'];

  test.each(paths)('at %s that is too large is refused', async (path) => {
    const refused = path.endsWith('token') ? 'request-too-large' : '400';
    expect(await send(['a=', large], false, path)).toBe(refused);
    const headers = { origin: shop.relay.origin };
    const reply = await fetch(shop.relay.origin + path, { method: 'POST', headers, body: large });
    expect([reply.status, reply.headers.get('connection')]).toEqual([
      path.endsWith('token') ? 403 : 400,
      'close',
    ]);
    expect(shop.relay.logged()).not.toContain('store-fault');
  });

  test.each(paths)('at %s that is cut off is no failure of the database', async (path) => {
    expect(await send(['a='], true, path)).toBeUndefined();
    expect(await send(['a=b'], false, path)).toBe(path.endsWith('token') ? 'code-unknown' : '400');
    expect(shop.relay.logged()).not.toContain('store-fault');
  });
});
