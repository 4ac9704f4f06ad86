import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { bases } from '#sandbox/seller/deployments';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type Sandbox, startSandbox } from '#sandbox/server';
import { at, get, post, send, validate } from '#tests/sandbox/seller/client';

const codes = sampleCodes('/market');
let now = Date.parse('2026-11-20T12:00:00Z');
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, db: ':memory:', now: () => now });
});
afterAll(() => sandbox.close());

test('every base address has a key of its own', () => {
  expect(new Set(bases.map((base) => sandbox.keys[base])).size).toBe(bases.length);
});

describe('turns-browsers-away', () => {
  const base = '/dialect/turns-browsers-away';
  const ask = (agent: string) =>
    send(`${sandbox.origin}${base}/api/account/details?api_key=${sandbox.keys[base]}`, {
      headers: { 'user-agent': agent },
    });

  test.each([
    'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
    'Chrome/156.0',
    'Firefox/153.0',
    'Opera/9.80',
    'Edge/18.0',
  ])('sends %s to its home page, which is HTML', async (agent) => {
    const { status, headers } = await ask(agent);
    expect([status, headers.get('location')]).toEqual([302, `${sandbox.origin}${base}`]);
    const home = await send(headers.get('location') ?? '');
    expect(home.headers.get('content-type')).toContain('text/html');
  });

  test('answers a plain User-Agent', async () => {
    expect((await ask('Counterfoil')).body['status']).toBe('success');
  });
});

test('item-reply answers item in place of data.purchase', async () => {
  const { body } = await validate(sandbox, '/dialect/item-reply', codes.supported);
  expect(Object.keys(body)).toEqual(['status', 'item']);
  expect(at(body, 'item.purchase_code')).toBe(codes.supported);
  expect(at(body, 'item.item.id')).toBe(2002);
});

describe('translated', () => {
  test('has a status and a license type in other words', async () => {
    const { status, body } = await validate(sandbox, '/dialect/translated', codes.extended);
    expect(status).toBe(200);
    expect(body['status']).toBe('erfolgreich');
    expect(at(body, 'data.purchase.license_type')).toBe('Erweiterte Lizenz');
  });

  test('says error in English and why in German', async () => {
    const { body } = await validate(sandbox, '/dialect/translated', codes.unknown);
    expect(body).toEqual({ status: 'error', msg: 'Ungültiger Kaufcode' });
  });

  test('says both in German at translated-errors', async () => {
    const { status, body } = await validate(sandbox, '/dialect/translated-errors', codes.unknown);
    expect(status).toBe(404);
    expect(body).toEqual({ status: 'Fehler', msg: 'Ungültiger Kaufcode' });
  });
});

describe('php', () => {
  test('writes an empty map as a list and decimals as strings', async () => {
    const { body } = await get(sandbox, '/dialect/php', 'account');
    expect(at(body, 'data.profile.social_links')).toEqual([]);
    expect(at(body, 'data.balance')).toBe('18240.07');
  });

  test('writes what is absent as null and booleans as digits', async () => {
    const { body } = await validate(sandbox, '/dialect/php', codes.noSupport);
    expect(at(body, 'data.purchase')).toMatchObject({
      supported_until: null,
      downloaded: 1,
      price: '79.00',
      item: {
        price: { regular: '79.00', extended: '395.00' },
        media: { preview_video: null, preview_audio: null },
      },
    });
    const audio = await validate(sandbox, '/dialect/php', codes.audioItem);
    expect(at(audio.body, 'data.purchase.item.media')).toMatchObject({
      preview_image: null,
      screenshots: null,
    });
  });

  test('keeps what is there', async () => {
    const { body } = await validate(sandbox, '/dialect/php', codes.neverDownloaded);
    expect(at(body, 'data.purchase.downloaded')).toBe(0);
    expect(typeof at(body, 'data.purchase.supported_until')).toBe('string');
    expect(at(body, 'data.purchase.item.media.screenshots')).toHaveLength(4);
  });

  test('may begin with a byte order mark', async () => {
    const base = '/dialect/php-bom';
    const url = `${sandbox.origin}${base}/api/items/all?api_key=${sandbox.keys[base]}`;
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    expect([...bytes.subarray(0, 4)]).toEqual([0xef, 0xbb, 0xbf, 0x7b]);
  });

  test('may begin with a notice, as HTML', async () => {
    const { headers, text } = await validate(sandbox, '/dialect/php-notice', codes.supported);
    expect(headers.get('content-type')).toContain('text/html');
    expect(text).toMatch(/^<br \/>\n<b>Notice<\/b>[^{]*\{"status":"success"/);
  });
});

describe('one-item', () => {
  test('finds no items, and yet the item by its id', async () => {
    const all = await get(sandbox, '/dialect/one-item', 'items');
    expect([all.status, all.body['msg']]).toEqual([404, 'No items found']);
    const one = await get(sandbox, '/dialect/one-item', 'item', { item_id: '901' });
    expect(at(one.body, 'item.id')).toBe(901);
  });

  test('knows its own codes', async () => {
    const { supported } = sampleCodes('/dialect/one-item');
    expect((await validate(sandbox, '/dialect/one-item', supported)).status).toBe(200);
  });
});

test('rate-limited answers 60 requests a minute, then 429 until the minute is over', async () => {
  const ask = () => get(sandbox, '/dialect/rate-limited', 'account');
  for (let count = 1; count <= 60; count += 1) expect((await ask()).status).toBe(200);
  now += 45_500;
  const refused = await ask();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15']);
  now += 14_500;
  expect((await ask()).status).toBe(200);
});

test('api-off answers every call with an HTML 404', async () => {
  const replies = await Promise.all([
    get(sandbox, '/dialect/api-off', 'account'),
    get(sandbox, '/dialect/api-off', 'items'),
    get(sandbox, '/dialect/api-off', 'item'),
    validate(sandbox, '/dialect/api-off', codes.supported),
  ]);
  for (const { status, headers } of replies) {
    expect(status).toBe(404);
    expect(headers.get('content-type')).toContain('text/html');
  }
});

describe.each([
  ['/dialect/json-only', 'json'],
  ['/dialect/multipart-only', 'multipart'],
  ['/dialect/query-only', 'query'],
] as const)('%s', (base, readable) => {
  test.each(['form', 'json', 'multipart', 'query'])('asked by %s', async (encoding) => {
    const fields = { api_key: sandbox.keys[base], purchase_code: codes.supported };
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const asked = {
      form: () => post(sandbox, base, new URLSearchParams(fields)),
      json: () =>
        post(sandbox, base, JSON.stringify(fields), {
          headers: { 'content-type': 'application/json' },
        }),
      multipart: () => post(sandbox, base, form),
      query: () => post(sandbox, base, undefined, { query: fields }),
    }[encoding];
    const reply = await asked?.();
    expect(reply?.status).toBe(encoding === readable ? 200 : 404);
    if (encoding !== readable) expect(reply?.body['msg']).toBe('Invalid purchase code');
  });
});

describe.each([
  ['/dialect/header-only', 'X-API-Key', ''],
  ['/dialect/bearer-only', 'Authorization', 'Bearer '],
] as const)('%s', (base, header, prefix) => {
  test(`reads the key from ${header} and from nowhere else`, async () => {
    const body = new URLSearchParams({ purchase_code: codes.supported });
    const headers = { [header]: prefix + sandbox.keys[base] };
    expect((await post(sandbox, base, body, { headers })).status).toBe(200);
    expect((await validate(sandbox, base, codes.supported)).status).toBe(404);
    expect((await get(sandbox, base, 'account')).status).toBe(401);
  });
});
