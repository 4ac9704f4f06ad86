import { verify } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { rawOf } from '#sandbox/authority/keys';
import {
  type Answer,
  claimsOf,
  licenseRequest,
  type Rig,
  startRig,
} from '#tests/sandbox/authority/authority-harness';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const activate = (body: unknown, headers?: Record<string, string>): Promise<Answer> =>
  rig.post('/api/license/v1/activate', body, headers);

describe('activate', () => {
  it('answers with a certificate that binds domain and installation, signed by the authority', async () => {
    const request = licenseRequest(await rig.issue());
    const { status, body } = await activate(request);
    expect(status).toBe(200);
    expect(body['status']).toBe('success');

    const token = String(body['activation_certificate']);
    const [payload = '', signature = ''] = token.split('.');
    const { publicKey } = rig.authority.keys.current();
    expect(rawOf(publicKey)).toHaveLength(32);
    expect(
      verify(
        null,
        Buffer.from(payload, 'base64url'),
        publicKey,
        Buffer.from(signature, 'base64url'),
      ),
    ).toBe(true);
    const claims = claimsOf(token);
    expect(claims).toMatchObject({
      typ: 'activation-certificate',
      test: true,
      domain: 'shop.example.com',
      installation_id: request['installation_id'],
      product_slug: 'aurora-theme',
    });
    const [issued, next, grace] = ['issued_at', 'next_validation_at', 'grace_until'].map((name) =>
      Date.parse(String(claims[name])),
    );
    expect(Number(next) - Number(issued)).toBe(7 * 86_400_000);
    expect(Number(grace) - Number(next)).toBe(14 * 86_400_000);
  });

  it('marks licenses as test licenses of their type', async () => {
    expect(claimsOf(await rig.issue({ license_type: 'Extended' }))).toMatchObject({
      typ: 'license',
      test: true,
      license_type: 'Extended',
      product_slug: 'aurora-theme',
    });
  });

  it('gives the same installation a fresh certificate', async () => {
    const request = licenseRequest(await rig.issue());
    const first = await activate(request);
    await rig.control('clock', { advanceMs: 1000 });
    const second = await activate(request);
    const at = (answer: Answer): number =>
      Date.parse(String(claimsOf(answer.body['activation_certificate'])['issued_at']));
    expect(second.status).toBe(200);
    expect(at(second)).toBeGreaterThanOrEqual(at(first) + 1000);
  });

  it.each([
    ['another domain', { domain: 'other.example.com' }, 'bound to another domain'],
    [
      'another installation',
      { installation_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
      'bound to another installation',
    ],
  ])('refuses %s with the reason', async (_what, change, reason) => {
    const request = licenseRequest(await rig.issue());
    await activate(request);
    const { status, body } = await activate({ ...request, ...change });
    expect(status).toBe(409);
    expect(body).toEqual({ status: 'error', msg: expect.stringContaining(reason) as string });
  });

  it('refuses a license sold for another domain, and takes that domain in any spelling', async () => {
    const license = await rig.issue({ domain: 'Bücher.example' });
    expect((await activate(licenseRequest(license))).body['msg']).toContain('another domain');
    const right = licenseRequest(license, { domain: 'XN--BCHER-KVA.example.' });
    expect((await activate(right)).status).toBe(200);
  });

  it('refuses another product', async () => {
    const request = licenseRequest(await rig.issue(), { product_slug: 'borealis-theme' });
    expect(await activate(request)).toMatchObject({
      status: 403,
      body: { msg: 'This license is for another product.' },
    });
  });

  it('refuses an expired license', async () => {
    const license = await rig.issue({ expires_at: '2001-01-01T00:00:00.000Z' });
    expect((await activate(licenseRequest(license))).body['msg']).toContain('expired');
  });

  it('refuses a license with one bit changed, and one signed by a stranger', async () => {
    const stranger = await startRig();
    const foreign = await stranger.issue();
    await stranger.close();
    const [payload = '', signature = ''] = (await rig.issue()).split('.');
    const flipped = Buffer.from(signature, 'base64url');
    flipped[10] = (flipped[10] ?? 0) ^ 1;
    for (const license of [foreign, `${payload}.${flipped.toString('base64url')}`]) {
      expect(await activate(licenseRequest(license))).toMatchObject({
        status: 403,
        body: { status: 'error', msg: 'The signature of the license does not verify.' },
      });
    }
  });

  it('refuses an activation certificate that is sent as a license', async () => {
    const { body } = await activate(licenseRequest(await rig.issue()));
    const answer = await activate(licenseRequest(String(body['activation_certificate'])));
    expect(answer.status).toBe(403);
  });

  it('refuses a revoked license, and takes it again once the rehearsal has undone that', async () => {
    const license = await rig.issue();
    const request = licenseRequest(license);
    const licenseId = claimsOf(license)['license_id'];
    await rig.control('revoke', { licenseId, reason: 'refunded' });
    expect(await activate(request)).toMatchObject({
      status: 403,
      body: { msg: 'This license has been revoked: refunded.' },
    });
    await rig.control('unrevoke', { licenseId });
    expect((await activate(request)).status).toBe(200);
  });
});

describe('a License request in the wrong form', () => {
  const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

  it('takes a UUID in capitals and binds it in small letters', async () => {
    const request = licenseRequest(await rig.issue(), { installation_id: uuid.toUpperCase() });
    const { body } = await activate(request);
    expect(claimsOf(body['activation_certificate'])['installation_id']).toBe(uuid);
    expect((await activate({ ...request, installation_id: uuid })).status).toBe(200);
  });

  it.each(['license', 'domain', 'product_slug', 'installation_id'])(
    'is told that %s is missing, of the wrong type, too long or odd',
    async (field) => {
      const good = licenseRequest('a.b', { installation_id: uuid });
      expect(await activate({ ...good, [field]: undefined })).toEqual({
        status: 422,
        body: { status: 'error', msg: `${field}: is missing` },
      });
      for (const odd of [null, 7, [], {}, '', 'x'.repeat(20_000), 'a\u202Eb', '\uD800', 'a b']) {
        const { status, body } = await activate({ ...good, [field]: odd });
        expect([status, body['status']]).toEqual([422, 'error']);
        expect(body['msg']).toMatch(new RegExp(`^${field}: `));
      }
    },
  );

  it.each([
    'https://shop.example.com',
    'shop.example.com:8080',
    'shop.example.com/path',
    'user@shop.example.com',
    '-shop.example.com',
    'shop..example.com',
    `${'a'.repeat(64)}.example.com`,
  ])('is told that %s is no host name', async (domain) => {
    expect((await activate(licenseRequest('a.b', { domain }))).status).toBe(422);
  });

  it.each(['localhost', '127.0.0.1', 'SHOP.example.com.', 'bücher.example'])(
    'may name %s as its domain',
    async (domain) => {
      expect((await activate(licenseRequest(await rig.issue(), { domain }))).status).toBe(200);
    },
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    '',
    'application/json; charset=utf-16',
  ])('is not read as “%s”', async (type) => {
    const answer = await activate(licenseRequest('a.b'), { 'Content-Type': type });
    expect(answer).toMatchObject({ status: 415, body: { status: 'error' } });
  });

  it.each([
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['a string', '"text"'],
    ['half an object', '{"license":'],
    ['sixteen thousand brackets', '['.repeat(16_000)],
  ])('is not read from %s', async (_what, body) => {
    expect(await activate(body)).toMatchObject({ status: 422, body: { status: 'error' } });
  });

  it('is cut off beyond 32 KiB, whether it says its length or not', async () => {
    const big = JSON.stringify(licenseRequest('x'.repeat(40_000)));
    expect((await activate(big)).status).toBe(413);
    const streamed = await fetch(`${rig.origin}/api/license/v1/activate`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: new Blob([big]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
  });
});
