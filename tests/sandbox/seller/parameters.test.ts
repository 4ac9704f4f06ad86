import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type Sandbox, startSandbox } from '#sandbox/server';
import { post } from '#tests/sandbox/seller/client';

const codes = sampleCodes('/market');
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, db: ':memory:' });
});
afterAll(() => sandbox.close());

describe('the parameters', () => {
  const key = () => sandbox.keys['/market'];
  const multipart = (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return form;
  };
  const purchase_code = codes.supported;
  const json = { 'content-type': 'application/json; charset=utf-8' };

  test('are read from a form, from JSON, from multipart and from the query', async () => {
    const fields = { api_key: key(), purchase_code };
    const replies = await Promise.all([
      post(sandbox, '/market', new URLSearchParams(fields)),
      post(sandbox, '/market', JSON.stringify(fields), { headers: json }),
      post(sandbox, '/market', multipart(fields)),
      post(sandbox, '/market', undefined, { query: fields }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test.each(['X-API-Key', 'Authorization'])(
    'take the key from %s at /market alone',
    async (name) => {
      const asked = async (base: '/market' | '/demo') => {
        const bare = sandbox.keys[base];
        const headers = { [name]: name === 'Authorization' ? `Bearer ${bare}` : bare };
        const code = sampleCodes(base).supported;
        return (
          await post(sandbox, base, new URLSearchParams({ purchase_code: code }), { headers })
        ).status;
      };
      expect(await asked('/market')).toBe(200);
      expect(await asked('/demo')).toBe(404);
    },
  );

  test.each([
    ['broken JSON', '{"api_key":', json],
    ['JSON that is no object', '[1,2]', json],
    ['broken multipart', 'nothing', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['text', 'api_key=1', { 'content-type': 'text/plain' }],
  ])('of %s count as missing', async (_what, body, headers) => {
    const reply = await post(sandbox, '/market', body, { headers });
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ status: 'error', msg: 'Invalid purchase code' });
  });
});
