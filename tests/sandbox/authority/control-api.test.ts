import { request as httpRequest } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  claimsOf,
  licenseRequest,
  type Rig,
  startRig,
} from '#tests/sandbox/authority/authority-harness';

let rig: Rig;
const start = Date.UTC(2026, 10, 1);
beforeAll(async () => {
  rig = await startRig(':memory:', () => start);
});
afterAll(() => rig.close());

/** `fetch` lets nobody choose these headers. */
function statusWith(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest(rig.origin + path, { headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('the control endpoints', () => {
  it('need the control token', async () => {
    expect((await fetch(`${rig.origin}/control/state`)).status).toBe(401);
    const wrong = { headers: { Authorization: `Bearer ${rig.tokens.administrator}` } };
    expect((await fetch(`${rig.origin}/control/state`, wrong)).status).toBe(401);
  });

  it('answer no page of another origin, and no other host name', async () => {
    const token = { Authorization: `Bearer ${rig.controlToken}` };
    expect(await statusWith('/control/state', token)).toBe(200);
    expect(await statusWith('/control/state', { ...token, Origin: rig.origin })).toBe(200);
    const extension = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
    expect(await statusWith('/control/state', { ...token, Origin: extension })).toBe(200);
    expect(await statusWith('/control/state', { ...token, Origin: 'https://evil.example' })).toBe(
      403,
    );
    expect(await statusWith('/control/state', { ...token, Host: 'evil.example' })).toBe(421);
    expect(await statusWith('/health', { Host: 'evil.example:8788' })).toBe(421);
  });

  it('move the clock', async () => {
    expect((await rig.control('clock', { offsetMs: 5000 })).body['now']).toBe(start + 5000);
    expect((await rig.control('clock', { advanceMs: -6000 })).body['now']).toBe(start - 1000);
    expect((await rig.control('clock', { now: 1e12 })).body['now']).toBe(1e12);
    expect((await rig.control('clock', { now: '1' })).status).toBe(422);
    expect((await rig.control('clock', { offsetMs: 0 })).body['now']).toBe(start);
  });

  it('move the clock no further than its moments can be written', async () => {
    const far = 3e14;
    expect((await rig.control('clock', { advanceMs: far })).status).toBe(200);
    expect((await rig.control('clock', { advanceMs: far })).status).toBe(422);
    expect((await rig.control('clock', { now: 8e15 })).status).toBe(422);
    expect((await rig.control('clock', { offsetMs: -far })).status).toBe(200);
    expect((await rig.control('clock', { advanceMs: -1 })).status).toBe(422);
    expect((await rig.control('clock', { offsetMs: 0 })).body['now']).toBe(start);
  });

  it('set interval and grace down to seconds', async () => {
    await rig.control('config', { validationSeconds: 2, graceSeconds: 3 });
    const request = licenseRequest(await rig.issue());
    const { body } = await rig.post('/api/license/v1/activate', request);
    expect(claimsOf(body['activation_certificate'])).toMatchObject({
      issued_at: '2026-11-01T00:00:00.000Z',
      next_validation_at: '2026-11-01T00:00:02.000Z',
      grace_until: '2026-11-01T00:00:05.000Z',
    });
    expect((await rig.control('config', { validationSeconds: 0 })).status).toBe(422);
    expect((await rig.control('config', { colour: 'red' })).status).toBe(422);
  });

  it('take the authority away and bring it back', async () => {
    const request = licenseRequest(await rig.issue());
    await rig.control('availability', { available: false });
    await expect(rig.post('/api/license/v1/activate', request)).rejects.toThrow();
    await rig.control('availability', { available: true });
    expect((await rig.post('/api/license/v1/activate', request)).status).toBe(200);
  });

  it('sign a sample from a customer’s claims, under an id of its own', async () => {
    const claims = {
      license_id: 'customer-1',
      product_slug: 'aurora-theme',
      license_type: 'Extended',
      kid: 'theirs',
      next_validation_at: '2026-01-01T00:00:00Z',
      buyer: { name: 'Ada' },
    };
    const { body } = await rig.control('sample', { claims });
    const signed = claimsOf(body['license']);
    expect(signed).toMatchObject({
      typ: 'license',
      test: true,
      sample: true,
      sample_of: 'customer-1',
      license_type: 'Extended',
      buyer: { name: 'Ada' },
      kid: rig.publicKey.id,
    });
    expect(signed).not.toHaveProperty('next_validation_at');
    expect(signed['license_id']).toBe(body['licenseId']);
    const request = licenseRequest(String(body['license']));
    expect((await rig.post('/api/license/v1/activate', request)).status).toBe(200);
  });

  it('say what is set', async () => {
    const { body } = await rig.control('state', undefined, 'GET');
    expect(body).toMatchObject({
      available: true,
      faults: [],
      keys: [{ id: rig.publicKey.id, pem: rig.publicKey.pem, retiredAt: null }],
    });
    expect(JSON.stringify(body)).not.toMatch(/PRIVATE|private/);
  });
});

describe('the public key', () => {
  it('is there for whoever wants to pin it', async () => {
    const reply = await fetch(`${rig.origin}/public-key.pem`);
    expect(await reply.text()).toBe(rig.publicKey.pem);
  });

  it('differs from database to database', async () => {
    const other = await startRig();
    expect(other.publicKey.fingerprint).not.toBe(rig.publicKey.fingerprint);
    await other.close();
  });
});
