import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { operations } from '#sandbox/openapi/document';
import { type Sandbox, startSandbox } from '#sandbox/server';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { licenseRequest, type Rig, startRig } from '#tests/sandbox/authority/authority-harness';
import { faultOf, type ReadDocument } from '#tests/sandbox/openapi/schema-check';

let seller: Sandbox;
let authority: Rig;
let document: ReadDocument;
beforeAll(async () => {
  seller = await startSandbox({ port: 0, db: ':memory:' });
  authority = await startRig();
  const reply = await fetch(`${authority.origin}/openapi.json`);
  document = (await reply.json()) as ReadDocument;
});
afterAll(async () => {
  await Promise.all([seller.close(), authority.close()]);
});

/** What is wrong with a reply by the description; `undefined` when it is as described. */
async function misfit(path: string, reply: Response): Promise<string | undefined> {
  const described = document.paths[path];
  const responses = (described?.get ?? described?.post)?.responses;
  const response = responses?.[String(reply.status)] ?? responses?.['default'];
  if (response === undefined) return `${path}: status ${String(reply.status)} is not described`;
  const schema = response.content['application/json']?.schema ?? {};
  const { Error: error = {} } = document.components.schemas;
  return faultOf(await reply.json(), schema.$ref === undefined ? schema : error);
}

const post = (path: string, body: unknown, headers = {}): Promise<Response> =>
  fetch(authority.origin + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('the OpenAPI description', () => {
  it('names the eight endpoints of the spec', () => {
    expect(Object.keys(document.paths)).toEqual([
      '/api/account/details',
      '/api/items/all',
      '/api/items/item',
      '/api/purchases/validation',
      '/api/license/v1/activate',
      '/api/license/v1/validate',
      '/api/license/v1/issue',
      '/api/license/v1/revoke',
    ]);
    expect(document.openapi).toBe('3.1.0');
    expect(document.paths['/api/license/v1/issue']?.post?.security).toEqual([{ marketplace: [] }]);
    expect(document.paths['/api/license/v1/revoke']?.post?.security).toEqual([
      { administrator: [] },
    ]);
  });

  it.each(['/demo', '/market'] as const)('fits every seller reply of %s', async (base) => {
    const key = seller.keys[base];
    const get = (path: string, query: string): Promise<Response> =>
      fetch(`${seller.origin}${base}${path}?api_key=${key}${query}`);
    const all = await get('/api/items/all', '');
    const { items } = (await all.clone().json()) as { items: { id: number }[] };
    expect(await misfit('/api/items/all', all)).toBeUndefined();
    expect(items.length).toBeGreaterThan(1);
    for (const { id } of items) {
      const item = await get('/api/items/item', `&item_id=${String(id)}`);
      expect(item.status).toBe(200);
      expect(await misfit('/api/items/item', item)).toBeUndefined();
    }
    const account = await get('/api/account/details', '');
    expect(await misfit('/api/account/details', account)).toBeUndefined();
    for (const code of Object.values<string>({ ...sampleCodes(base) })) {
      const reply = await fetch(`${seller.origin}${base}/api/purchases/validation`, {
        method: 'POST',
        body: new URLSearchParams({ api_key: key, purchase_code: code }),
      });
      expect(await misfit('/api/purchases/validation', reply)).toBeUndefined();
    }
    const wrong = await fetch(`${seller.origin}${base}/api/account/details?api_key=wrong`);
    expect(wrong.ok).toBe(false);
    expect(await misfit('/api/account/details', wrong)).toBeUndefined();
  });

  it.each(operations.filter(({ half }) => half === 'seller'))(
    'names for $path the one message that a wrong key gets',
    async ({ path, method, errors }) => {
      const reply = await fetch(`${seller.origin}/demo${path}?api_key=wrong`, { method });
      const { msg } = (await reply.json()) as { msg: string };
      expect([...(errors['default'] ?? '').matchAll(/“(.*?)”/g)].map(([, name]) => name)).toEqual([
        msg,
      ]);
      expect(errors['default']).toContain('key');
    },
  );

  it.each(['token', 'jws', 'pair', 'member'])(
    'fits the licensing replies with certificates as %s',
    async (certificateEncoding) => {
      await authority.control('config', { certificateEncoding });
      const request = licenseRequest(await authority.issue());
      for (const endpoint of ['activate', 'validate']) {
        const path = `/api/license/v1/${endpoint}`;
        const granted = await post(path, request);
        expect(granted.status).toBe(200);
        expect(await misfit(path, granted)).toBeUndefined();
        const other = { ...request, domain: 'other.example.com' };
        for (const bad of [{}, other, { ...request, product_slug: 'other' }]) {
          const refused = await post(path, bad);
          expect(refused.ok).toBe(false);
          expect(await misfit(path, refused)).toBeUndefined();
        }
        const asText = await post(path, {}, { 'Content-Type': 'text/plain' });
        expect(await misfit(path, asText)).toBeUndefined();
        const huge = await post(path, 'x'.repeat(40_000));
        expect(await misfit(path, huge)).toBeUndefined();
      }
    },
  );

  it('fits the replies to the marketplace and to the administrator', async () => {
    const issue = '/api/license/v1/issue';
    const revoke = '/api/license/v1/revoke';
    const marketplace = { Authorization: `Bearer ${authority.tokens.marketplace}` };
    const administrator = { Authorization: `Bearer ${authority.tokens.administrator}` };
    const issued = await post(issue, { product_slug: 'a' }, marketplace);
    const { license_id } = (await issued.clone().json()) as { license_id: string };
    expect(await misfit(issue, issued)).toBeUndefined();
    expect(await misfit(issue, await post(issue, {}, marketplace))).toBeUndefined();
    expect(await misfit(issue, await post(issue, {}))).toBeUndefined();
    expect(await misfit(issue, await post(issue, {}, administrator))).toBeUndefined();
    const revoked = await post(revoke, { license_id }, administrator);
    expect(revoked.status).toBe(200);
    expect(await misfit(revoke, revoked)).toBeUndefined();
    const unknown = await post(revoke, { license_id: 'nobody' }, administrator);
    expect(unknown.status).toBe(404);
    expect(await misfit(revoke, unknown)).toBeUndefined();
  });

  it('requires in a License request what the spec requires', () => {
    const content = document.paths['/api/license/v1/activate']?.post?.requestBody?.content;
    expect(Object.keys(content ?? {})).toEqual(['application/json']);
    expect(content?.['application/json']?.schema.required).toEqual([
      'license',
      'domain',
      'product_slug',
      'installation_id',
    ]);
  });

  it('says of every endpoint what it does, in lines for people who open it', async () => {
    const reply = await fetch(`${authority.origin}/`);
    const text = await reply.text();
    expect(new URL(reply.url).pathname).toBe('/openapi.json');
    expect(reply.headers.get('Content-Type')).toContain('application/json');
    for (const { path, summary } of operations) {
      expect(text).toContain(`\n    "${path}": {\n`);
      expect(text).toContain(`"summary": "${summary}",\n`);
    }
  });
});
