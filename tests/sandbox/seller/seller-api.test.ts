import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { JsonObject, JsonValue } from '#core/encoding/index';
import { isRecord } from '#core/record';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type Sandbox, startSandbox } from '#sandbox/server';
import { at, get, send, validate } from '#tests/sandbox/seller/client';

/** Noon, so that neither yesterday nor tomorrow is near. */
const now = Date.parse('2026-11-20T12:00:00Z');
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const codes = sampleCodes('/market');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, db: ':memory:', now: () => now });
});
afterAll(() => sandbox.close());

async function purchase(code: string): Promise<JsonObject> {
  const reply = await validate(sandbox, '/market', code);
  const found = at(reply.body, 'data.purchase');
  if (!isRecord(found)) throw new Error(reply.text);
  return found;
}

async function items(): Promise<readonly JsonObject[]> {
  const { body } = await get(sandbox, '/market', 'items');
  return (body['items'] as JsonValue[]).filter((item) => isRecord(item));
}

describe('account details', () => {
  test.each([
    ['name.firstname', 'string'],
    ['name.lastname', 'string'],
    ['name.full_name', 'string'],
    ['username', 'string'],
    ['email', 'string'],
    ['balance', 'number'],
    ['currency', 'string'],
    ['profile.heading', 'string'],
    ['profile.description', 'string'],
    ['profile.contact.email', 'string'],
    ['profile.social_links.facebook', 'string'],
    ['profile.media.avatar', 'string'],
    ['profile.media.cover', 'string'],
    ['registered_at', 'string'],
  ])('hold %s as a %s', async (path, type) => {
    const { status, body } = await get(sandbox, '/market', 'account');
    expect(status).toBe(200);
    expect(body['status']).toBe('success');
    expect(typeof at(body, `data.${path}`)).toBe(type);
  });

  test('name the time of registration in ISO 8601, UTC', async () => {
    const { body } = await get(sandbox, '/market', 'account');
    expect(at(body, 'data.registered_at')).toMatch(timestamp);
  });
});

describe('an item', () => {
  test.each([
    ['id', 'number'],
    ['name', 'string'],
    ['description', 'string'],
    ['category', 'string'],
    ['sub_category', 'string'],
    ['options', 'object'],
    ['version', 'string'],
    ['demo_link', 'string'],
    ['tags', 'object'],
    ['media.thumbnail', 'string'],
    ['price.regular', 'number'],
    ['price.extended', 'number'],
    ['currency', 'string'],
    ['published_at', 'string'],
  ])('has %s as a %s, whichever it is', async (path, type) => {
    for (const item of await items()) expect(typeof at(item, path)).toBe(type);
  });

  test('has lists of strings, a dotted version and an ISO time', async () => {
    for (const item of await items()) {
      expect(Array.isArray(item['options']) && Array.isArray(item['tags'])).toBe(true);
      expect(item['version']).toMatch(/^\d+\.\d+\.\d+$/);
      expect(item['published_at']).toMatch(timestamp);
    }
  });

  test.each([
    ['code', 2001, ['preview_image', 'screenshots', 'thumbnail']],
    ['code without screenshots', 2006, ['preview_image', 'thumbnail']],
    ['theme', 2105, ['preview_image', 'thumbnail']],
    ['audio', 2201, ['preview_audio', 'thumbnail']],
    ['audio with a screenshot', 2203, ['preview_audio', 'screenshots', 'thumbnail']],
    ['video', 2301, ['preview_image', 'preview_video', 'thumbnail']],
    [
      'video with screenshots',
      2302,
      ['preview_image', 'preview_video', 'screenshots', 'thumbnail'],
    ],
  ])('of kind %s has just the media of that kind', async (_kind, id, media) => {
    const { body } = await get(sandbox, '/market', 'item', { item_id: String(id) });
    expect(Object.keys(at(body, 'item.media') as JsonObject).sort()).toEqual(media);
  });

  test('is found by its id and is the one in the list', async () => {
    const [first] = await items();
    const { status, body } = await get(sandbox, '/market', 'item', { item_id: '2001' });
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'success', item: first });
  });

  test('points to pictures, sounds and clips that the sandbox serves', async () => {
    const types: Record<string, string> = {
      svg: 'image/svg+xml',
      wav: 'audio/wav',
      webm: 'video/webm',
    };
    for (const item of await items()) {
      const urls = Object.values(item['media'] as JsonObject).flat() as string[];
      for (const url of [...urls, item['demo_link'] as string]) {
        const { status, headers } = await send(url);
        expect(status, url).toBe(200);
        const expected = types[url.split('.').at(-1) ?? ''] ?? 'text/html; charset=UTF-8';
        expect(headers.get('content-type'), url).toBe(expected);
      }
    }
  });
});

describe('a purchase', () => {
  test('holds what the spec names, with the whole item', async () => {
    const found = await purchase(codes.supported);
    expect(found).toMatchObject({
      purchase_code: codes.supported,
      license_type: 'Regular',
      price: 69,
      currency: 'USD',
      downloaded: true,
    });
    expect(found['supported_until']).toMatch(timestamp);
    expect(found['date']).toMatch(timestamp);
    const { body } = await get(sandbox, '/market', 'item', { item_id: '2002' });
    expect(found['item']).toEqual(body['item']);
  });

  test.each([
    { situation: 'noSupport', because: 'support was not bought' },
    { situation: 'supportDisabled', because: 'the seller has switched it off' },
  ] as const)('leaves supported_until out when $because', async ({ situation }) => {
    expect(await purchase(codes[situation])).not.toHaveProperty('supported_until');
  });

  test.each([
    ['lapsedYesterday', '2026-11-19'],
    ['endsTomorrow', '2026-11-21'],
  ] as const)('of the situation %s ends on %s', async (situation, date) => {
    const found = await purchase(codes[situation]);
    expect(found['supported_until']).toMatch(new RegExp(`^${date}T`));
  });

  test('says that it was never downloaded, and that its license is extended', async () => {
    expect((await purchase(codes.neverDownloaded))['downloaded']).toBe(false);
    expect((await purchase(codes.extended))['license_type']).toBe('Extended');
  });

  test('is found in either case and with white space around its code', async () => {
    const found = await purchase(`  ${codes.supported.toUpperCase()} `);
    expect(found['purchase_code']).toBe(codes.supported);
  });

  test.each(['oddDashed', 'oddPrefixed', 'oddPlain'] as const)(
    'may have an odd code: %s',
    async (situation) => {
      expect((await purchase(codes[situation]))['purchase_code']).toBe(codes[situation]);
    },
  );
});

describe('an error', () => {
  const cases = [
    ['account', 401, 'Invalid request'],
    ['items', 404, 'No items found'],
    ['item', 404, 'Item Not Found'],
  ] as const;

  test.each(cases)('of %s for a wrong key is %i "%s"', async (endpoint, status, msg) => {
    const reply = await get(sandbox, '/market', endpoint, { api_key: 'wrong', item_id: '2001' });
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual({ status: 'error', msg });
    expect(reply.headers.get('content-type')).toBe('application/json');
  });

  test.each(cases)(
    'of %s for the key of another shop is the same',
    async (endpoint, status, msg) => {
      const api_key = sandbox.keys['/demo'];
      const reply = await get(sandbox, '/market', endpoint, { api_key, item_id: '2001' });
      expect([reply.status, reply.body['msg']]).toEqual([status, msg]);
    },
  );

  test.each([
    ['nobody’s', codes.unknown],
    ['another seller’s', sampleCodes('/demo').supported],
    ['an empty', ''],
  ])('of validation answers %s code with 404 "Invalid purchase code"', async (_what, code) => {
    const reply = await validate(sandbox, '/market', code);
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ status: 'error', msg: 'Invalid purchase code' });
  });

  test('of validation does not tell a wrong key from a bad code', async () => {
    const wrongKey = await validate(sandbox, '/market', codes.supported, 'wrong');
    const badCode = await validate(sandbox, '/market', codes.unknown);
    expect([wrongKey.status, wrongKey.text]).toEqual([badCode.status, badCode.text]);
  });

  test.each(['', '999999', '101', '1e3', '2001x', '-1'])(
    'of the item lookup meets the id "%s"',
    async (item_id) => {
      const reply = await get(sandbox, '/market', 'item', { item_id });
      expect([reply.status, reply.body['msg']]).toEqual([404, 'Item Not Found']);
    },
  );

  test('for the wrong method or path is the framework’s own, in HTML', async () => {
    const base = `${sandbox.origin}/market`;
    const wrongMethod = await send(`${base}/api/purchases/validation`);
    const wrongPath = await send(`${base}/api/nothing`);
    expect([wrongMethod.status, wrongPath.status]).toEqual([405, 404]);
    expect(wrongPath.headers.get('content-type')).toContain('text/html');
  });
});

test('no answer invites other origins', async () => {
  const origin = 'https://elsewhere.example';
  const replies = await Promise.all([
    send(`${sandbox.origin}/`, { headers: { origin } }),
    send(`${sandbox.origin}/market/api/items/all?api_key=${sandbox.keys['/market']}`, {
      headers: { origin },
    }),
    send(`${sandbox.origin}/market/api/purchases/validation`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    }),
  ]);
  for (const { headers } of replies) {
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});
