import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
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

async function activated(): Promise<Record<string, unknown>> {
  const request = licenseRequest(await rig.issue());
  await rig.post('/api/license/v1/activate', request);
  return request;
}

describe('validate', () => {
  it('answers the activated installation with a later certificate', async () => {
    const request = await activated();
    await rig.control('clock', { advanceMs: 8 * 86_400_000 });
    const { status, body } = await rig.post('/api/license/v1/validate', request);
    expect(status).toBe(200);
    const claims = claimsOf(body['activation_certificate']);
    expect(Date.parse(String(claims['next_validation_at']))).toBeGreaterThan(rig.authority.clock());
  });

  it('refuses another installation id, and another domain', async () => {
    const request = await activated();
    const other = { installation_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' };
    for (const change of [other, { domain: 'other.example.com' }]) {
      const answer = await rig.post('/api/license/v1/validate', { ...request, ...change });
      expect(answer).toMatchObject({ status: 409, body: { status: 'error' } });
    }
  });

  it('refuses a license that was never activated', async () => {
    const request = licenseRequest(await rig.issue());
    expect(await rig.post('/api/license/v1/validate', request)).toEqual({
      status: 403,
      body: { status: 'error', msg: 'This license has not been activated.' },
    });
  });

  it('refuses a revoked license', async () => {
    const request = await activated();
    const licenseId = claimsOf(request['license'])['license_id'];
    await rig.control('revoke', { licenseId });
    expect(await rig.post('/api/license/v1/validate', request)).toEqual({
      status: 403,
      body: { status: 'error', msg: 'This license has been revoked.' },
    });
  });
});
