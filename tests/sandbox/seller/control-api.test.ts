import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { JsonObject } from '#core/encoding/index';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type Sandbox, startSandbox } from '#sandbox/server';
import { at, control, get, send, statusWith, validate } from '#tests/sandbox/seller/client';

const codes = sampleCodes('/demo');
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, db: ':memory:' });
});
afterAll(() => sandbox.close());

describe('the control token', () => {
  const calls = ['GET faults', 'POST faults', 'DELETE faults', 'GET requests', 'POST purchases'];

  test.each(calls)('is needed for %s', async (call) => {
    const [method = '', path = ''] = call.split(' ');
    const url = `${sandbox.origin}/control/${path}`;
    for (const authorization of ['', 'Bearer ', 'Bearer wrong', sandbox.keys['/demo']]) {
      expect((await send(url, { method, headers: { authorization } })).status).toBe(401);
    }
  });

  test('does not help a page of another origin', async () => {
    const headers = { authorization: `Bearer ${sandbox.controlToken}` };
    const status = (origin: string) =>
      statusWith(`${sandbox.origin}/control/faults`, { ...headers, origin });
    expect(await status('https://elsewhere.example')).toBe(403);
    expect(await status('null')).toBe(403);
    expect(await status(sandbox.origin)).toBe(200);
  });
});

describe('the request log', () => {
  test('holds each request whole, and no control call', async () => {
    await control(sandbox, 'DELETE', 'requests');
    await get(sandbox, '/demo', 'item', { item_id: '101' });
    await validate(sandbox, '/demo', codes.supported);
    const { body } = await control(sandbox, 'GET', 'requests');
    const key = sandbox.keys['/demo'];
    expect(body['requests']).toMatchObject([
      {
        method: 'GET',
        path: '/demo/api/items/item',
        query: `?api_key=${key}&item_id=101`,
        body: '',
      },
      {
        method: 'POST',
        host: new URL(sandbox.origin).host,
        path: '/demo/api/purchases/validation',
        query: '',
        body: `api_key=${key}&purchase_code=${codes.supported}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      },
    ]);
  });

  test('is emptied when asked, and what it held is handed over with that', async () => {
    await get(sandbox, '/demo', 'account');
    const held = (await control(sandbox, 'GET', 'requests')).body['requests'];
    expect(held).not.toEqual([]);
    expect((await control(sandbox, 'DELETE', 'requests')).body['requests']).toEqual(held);
    expect((await control(sandbox, 'GET', 'requests')).body['requests']).toEqual([]);
  });
});

describe('a purchase', () => {
  const save = (change: JsonObject) =>
    control(sandbox, 'POST', 'purchases', { base: '/demo', ...change });

  test('can be made to lapse, everything else as it was', async () => {
    const before = await validate(sandbox, '/demo', codes.extended);
    const supported_until = '2020-02-02T20:20:02.000Z';
    const { status } = await save({ purchase_code: codes.extended, supported_until });
    const after = await validate(sandbox, '/demo', codes.extended);
    expect(status).toBe(200);
    expect(at(after.body, 'data.purchase')).toEqual({
      ...(at(before.body, 'data.purchase') as JsonObject),
      supported_until,
    });
  });

  test('can lose its support', async () => {
    await save({ purchase_code: codes.endsTomorrow, supported_until: null });
    const { body } = await validate(sandbox, '/demo', codes.endsTomorrow);
    expect(at(body, 'data.purchase')).not.toHaveProperty('supported_until');
  });

  test('can be added', async () => {
    const added = {
      purchase_code: 'NEW-0001',
      item_id: 102,
      license_type: 'Team',
      price: 12.34,
      date: '2026-01-01T00:00:00.000Z',
      supported_until: '2031-01-01T00:00:00.000Z',
    };
    expect((await save(added)).status).toBe(201);
    const { item_id, ...fields } = added;
    const { body } = await validate(sandbox, '/demo', 'new-0001');
    expect(at(body, 'data.purchase')).toMatchObject({ ...fields, item: { id: item_id } });
  });

  test('can be refunded, once', async () => {
    const refund = () =>
      control(sandbox, 'DELETE', 'purchases', { base: '/demo', purchase_code: codes.lapsed });
    expect((await refund()).status).toBe(200);
    expect((await validate(sandbox, '/demo', codes.lapsed)).status).toBe(404);
    expect((await refund()).status).toBe(404);
  });

  test.each([
    ['of no item', { purchase_code: 'X' }],
    ['of another account’s item', { purchase_code: 'X', item_id: 2001 }],
    ['with no moment', { purchase_code: 'X', item_id: 101, date: 'soon' }],
    ['without a code', { purchase_code: ' ', item_id: 101 }],
  ])('%s is refused', async (_what, change) => {
    expect((await save(change)).status).toBe(422);
  });
});
