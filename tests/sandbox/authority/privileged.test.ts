import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Answer,
  claimsOf,
  type Rig,
  startRig,
} from '#tests/sandbox/authority/authority-harness';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
const calls = {
  issue: (headers: Record<string, string>): Promise<Answer> =>
    rig.post('/api/license/v1/issue', { product_slug: 'aurora-theme' }, headers),
  revoke: (headers: Record<string, string>): Promise<Answer> =>
    rig.post('/api/license/v1/revoke', { license_id: 'nobody' }, headers),
};

describe('issue and revoke', () => {
  it.each(['issue', 'revoke'] as const)('%s answers nobody without its own token', async (name) => {
    const others = {
      issue: [rig.tokens.administrator, rig.controlToken],
      revoke: [rig.tokens.marketplace, rig.controlToken],
    };
    expect((await calls[name]({})).status).toBe(401);
    expect((await calls[name]({ Authorization: 'Basic abc' })).status).toBe(401);
    for (const token of [...others[name], 'x', `${rig.tokens.marketplace}x`]) {
      expect((await calls[name](bearer(token))).status).toBe(403);
    }
    const { body } = await rig.control('audit?limit=6', undefined, 'GET');
    expect(body['entries']).toEqual(
      Array.from(
        { length: 6 },
        () =>
          expect.objectContaining({
            actor: 'unknown',
            action: name,
            outcome: 'refused',
          }) as unknown,
      ),
    );
  });

  it('issue makes a license that stands in the audit trail', async () => {
    const { status, body } = await calls.issue(bearer(rig.tokens.marketplace));
    expect(status).toBe(200);
    expect(claimsOf(body['license'])['license_id']).toBe(body['license_id']);
    const trail = await rig.control(`audit?licenseId=${String(body['license_id'])}`, {}, 'GET');
    expect(trail.body['entries']).toEqual([
      expect.objectContaining({ actor: 'marketplace', action: 'issue', outcome: 'granted' }),
    ]);
  });

  it('revoke takes a license back, with its reason in the audit trail', async () => {
    const license = await rig.issue();
    const licenseId = String(claimsOf(license)['license_id']);
    const { status, body } = await rig.post(
      '/api/license/v1/revoke',
      { license_id: licenseId, reason: 'charged back' },
      bearer(rig.tokens.administrator),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'success', license_id: licenseId });
    const trail = await rig.control(`audit?licenseId=${licenseId}&limit=1`, {}, 'GET');
    expect(trail.body['entries']).toEqual([
      expect.objectContaining({ actor: 'administrator', detail: 'charged back' }),
    ]);
  });

  it('revoke knows which licenses there are', async () => {
    expect((await calls.revoke(bearer(rig.tokens.administrator))).status).toBe(404);
  });

  it('hold their bodies to their form', async () => {
    const marketplace = bearer(rig.tokens.marketplace);
    for (const body of [{}, { product_slug: '' }, { product_slug: 'a', expires_at: 'soon' }]) {
      expect((await rig.post('/api/license/v1/issue', body, marketplace)).status).toBe(422);
    }
    const plain = { ...marketplace, 'Content-Type': 'text/plain' };
    expect((await rig.post('/api/license/v1/issue', '{}', plain)).status).toBe(415);
    const administrator = bearer(rig.tokens.administrator);
    expect((await rig.post('/api/license/v1/revoke', {}, administrator)).status).toBe(422);
  });

  it('list at least one line of the audit trail, and 200 where the limit is none', async () => {
    for (let count = 0; count < 250; count += 1) await calls.issue({});
    const listed = async (limit: string): Promise<unknown> =>
      (await rig.control(`audit?limit=${limit}`, undefined, 'GET')).body['entries'];
    for (const limit of ['-3', '1.5']) expect(await listed(limit)).toHaveLength(1);
    for (const limit of ['0', 'many']) expect(await listed(limit)).toHaveLength(200);
    expect(await listed('1e9')).toEqual(await listed('10000'));
  });

  it('write no token into the audit trail', async () => {
    const { body } = await rig.control('audit?limit=1000', {}, 'GET');
    const trail = JSON.stringify(body);
    for (const token of [rig.controlToken, ...Object.values(rig.tokens)]) {
      expect(trail).not.toContain(token);
    }
  });
});
