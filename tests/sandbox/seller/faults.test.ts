import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type Sandbox, startSandbox } from '#sandbox/server';
import { at, control, get, order, send, validate } from '#tests/sandbox/seller/client';

const base = '/demo';
const code = sampleCodes(base).supported;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, db: ':memory:' });
});
afterEach(() => control(sandbox, 'DELETE', 'faults'));
afterAll(() => sandbox.close());

const check = () => validate(sandbox, base, code);
const url = () => `${sandbox.origin}${base}/api/account/details?api_key=${sandbox.keys[base]}`;

describe('a fault', () => {
  test('latency holds the right answer back', async () => {
    await order(sandbox, { base, fault: 'latency', ms: 150 });
    const slow = check().then(() => 'slow');
    const quick = check().then(() => 'quick');
    expect(await Promise.race([slow, quick])).toBe('quick');
    expect(await slow).toBe('slow');
  });

  test('silence never answers', async () => {
    await order(sandbox, { base, fault: 'silence' });
    await expect(fetch(url(), { signal: AbortSignal.timeout(200) })).rejects.toThrow(/timeout/);
  });

  test('reset breaks the connection', async () => {
    await order(sandbox, { base, fault: 'reset' });
    await expect(fetch(url())).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  });

  test('html-500 is a page', async () => {
    await order(sandbox, { base, fault: 'html-500' });
    const { status, headers } = await check();
    expect([status, headers.get('content-type')]).toEqual([500, 'text/html; charset=UTF-8']);
  });

  test('busy-503 says when to come back, or nothing', async () => {
    await order(sandbox, { base, fault: 'busy-503', retryAfter: 7 });
    await order(sandbox, { base, fault: 'busy-503', retryAfter: null });
    const [first, second] = [await check(), await check()];
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '7']);
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, null]);
  });

  test('too-many-429 says when to come back', async () => {
    await order(sandbox, { base, fault: 'too-many-429', retryAfter: 3 });
    const { status, headers, body } = await check();
    expect([status, headers.get('retry-after')]).toEqual([429, '3']);
    expect(body).toEqual({ message: 'Too Many Attempts.' });
  });

  test('truncated is a whole reply with half of the JSON', async () => {
    const whole = await check();
    await order(sandbox, { base, fault: 'truncated' });
    const half = await check();
    expect(half.status).toBe(200);
    expect(half.headers.get('content-type')).toBe('application/json');
    expect(half.text).toBe(whole.text.slice(0, Math.floor(whole.text.length / 2)));
  });

  test('cut-off breaks the connection in the middle of the body', async () => {
    await order(sandbox, { base, fault: 'cut-off' });
    const response = await fetch(url());
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test('wrong-types puts numbers and booleans into lists', async () => {
    await order(sandbox, { base, fault: 'wrong-types' });
    const { body } = await check();
    expect(at(body, 'data.purchase')).toMatchObject({
      price: [49],
      downloaded: [true],
      item: { id: [101], price: { regular: [49] } },
    });
  });

  test('endless goes on beyond any cap, and stops when nobody listens', async () => {
    await order(sandbox, { base, fault: 'endless' });
    const response = await fetch(url());
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > 40 * 1_048_576) break;
    }
    expect(bytes).toBeGreaterThan(40 * 1_048_576);
    expect((await check()).status).toBe(200);
  });

  test('redirect goes to another origin, by default this server under its other name', async () => {
    await order(sandbox, { base, fault: 'redirect' });
    await order(sandbox, {
      base,
      fault: 'redirect',
      to: 'https://elsewhere.example/',
      status: 302,
    });
    const [first, second] = [await check(), await check()];
    expect(first.status).toBe(307);
    const target = new URL(first.headers.get('location') ?? '');
    expect(target.origin).toBe(`http://localhost:${String(sandbox.port)}`);
    expect(second.status).toBe(302);
    expect(second.headers.get('location')).toBe('https://elsewhere.example/');
  });

  test('other-code answers about another code', async () => {
    const other = '00000000-0000-4000-8000-000000000000';
    await order(sandbox, { base, fault: 'other-code' });
    expect(at((await check()).body, 'data.purchase.purchase_code')).toBe(other);
    expect(at((await check()).body, 'data.purchase.purchase_code')).toBe(code);
  });
});

describe('an order', () => {
  test('befalls the next N requests to its base address and no more', async () => {
    await order(sandbox, { base, fault: 'html-500', times: 2 });
    expect((await validate(sandbox, '/market', 'x')).status).toBe(404);
    const statuses = [await check(), await check(), await check()].map(({ status }) => status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  test('may wait for one endpoint', async () => {
    await order(sandbox, { base, fault: 'html-500', endpoint: 'validation' });
    expect((await get(sandbox, base, 'account')).status).toBe(200);
    expect((await check()).status).toBe(500);
  });

  test('is listed while it waits and gone once cleared', async () => {
    await order(sandbox, { base, fault: 'reset', times: 3 });
    const listed = await control(sandbox, 'GET', 'faults');
    expect(listed.body['faults']).toEqual([{ base, fault: 'reset', times: 3 }]);
    await control(sandbox, 'DELETE', 'faults');
    expect((await check()).status).toBe(200);
  });

  test('also befalls a dialect', async () => {
    await order(sandbox, { base: '/dialect/php-notice', fault: 'wrong-types' });
    const { text } = await validate(
      sandbox,
      '/dialect/php-notice',
      sampleCodes('/market').supported,
    );
    expect(text).toContain('"downloaded":[true]');
  });

  test.each([
    ['no JSON', '{'],
    ['no base address', '{"base":"/nowhere","fault":"reset"}'],
    ['no fault', '{"base":"/demo","fault":"flood"}'],
    ['no such option', '{"base":"/demo","fault":"reset","ms":4}'],
    ['no whole number of times', '{"base":"/demo","fault":"reset","times":0}'],
  ])('with %s is refused', async (_what, body) => {
    const { status, body: reply } = await send(`${sandbox.origin}/control/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.controlToken}` },
      body,
    });
    expect([status, reply['status']]).toEqual([422, 'error']);
  });
});
