import { request } from 'node:http';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import {
  type RelayFiles,
  type StartedRelay,
  relayFiles,
  validation,
} from '#tests/relay/support/relay';

let seller: CountingUpstream;
let files: RelayFiles;
let relay: StartedRelay;
let token: string;

beforeEach(async () => {
  seller = await countingUpstream();
  files = relayFiles();
  await files.connect('shop', seller.origin, 'canary-key-0123456789', '--limit 6000');
  token = await files.join('ada@fenwick.test');
  relay = await files.start();
});
afterEach(async () => {
  await relay.stop();
  await seller.close();
  files.remove();
});

/** Sends a body in pieces, without its length; `cut` breaks the connection in its midst. */
function send(
  pieces: readonly string[],
  cut = false,
  path = `/c/shop${validation}`,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const outgoing = request(relay.origin + path, {
      method: 'POST',
      headers: {
        origin: relay.origin,
        'content-type': 'application/x-www-form-urlencoded',
        'transfer-encoding': 'chunked',
        authorization: `Bearer ${token}`,
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
  expect(seller.arrived.map(({ code }) => code)).toEqual(['code-in-two']);
});

test('a body that is too large is refused, with its length and without, and asks nobody', async () => {
  expect(await send(['purchase_code=', large])).toBe('request-too-large');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Bearer ${token}`,
  };
  const body = `purchase_code=${large}`;
  const reply = await fetch(`${relay.origin}/c/shop${validation}`, {
    method: 'POST',
    headers,
    body,
  });
  expect([reply.status, reply.headers.get('counterfoil-relay-failure')]).toEqual([
    403,
    'request-too-large',
  ]);
  expect(seller.arrived).toHaveLength(0);
});

test('a body that is cut off asks nobody, and the relay goes on', async () => {
  expect(await send(['purchase_code=half'], true)).toBeUndefined();
  expect(await send(['purchase_code=whole'])).toBe('200');
  expect(seller.arrived.map(({ code }) => code)).toEqual(['whole']);
});

describe('a body for joining', () => {
  const paths = ['/relay/v1/token', '/relay/v1/join/invite', '/relay/v1/join/confirm'];

  test.each(paths)('at %s that is too large is refused', async (path) => {
    const refused = path.endsWith('token') ? 'request-too-large' : '400';
    expect(await send(['a=', large], false, path)).toBe(refused);
    const headers = { origin: relay.origin };
    const reply = await fetch(relay.origin + path, { method: 'POST', headers, body: large });
    expect([reply.status, reply.headers.get('connection')]).toEqual([
      path.endsWith('token') ? 403 : 400,
      'close',
    ]);
    expect(relay.logged()).not.toContain('store-fault');
  });

  test.each(paths)('at %s that is cut off is no failure of the database', async (path) => {
    expect(await send(['a='], true, path)).toBeUndefined();
    expect(await send(['a=b'], false, path)).toBe(path.endsWith('token') ? 'code-unknown' : '400');
    expect(relay.logged()).not.toContain('store-fault');
  });
});
