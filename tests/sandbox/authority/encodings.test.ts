import { createPublicKey, type KeyObject, verify } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  claimsOf,
  licenseRequest,
  type Rig,
  startRig,
} from '#tests/sandbox/authority/authority-harness';

let rig: Rig;
let key: KeyObject;
beforeAll(async () => {
  rig = await startRig();
  key = createPublicKey(rig.publicKey.pem);
});
afterAll(() => rig.close());

async function certificate(config: Record<string, unknown>): Promise<unknown> {
  await rig.control('config', config);
  const request = licenseRequest(await rig.issue());
  const { body } = await rig.post('/api/license/v1/activate', request);
  return body['activation_certificate'];
}
const holds = (input: Buffer | string, signature: unknown): boolean =>
  verify(null, Buffer.from(input), key, Buffer.from(String(signature), 'base64url'));
const bytes = (segment: string | undefined): Buffer => Buffer.from(segment ?? '', 'base64url');
const byBytes = { certificateEncoding: 'token', signingInput: 'payload' };

describe('the encodings of a certificate', () => {
  it('envelope, over the payload’s bytes or over its segment', async () => {
    const [payload = '', signature] = String(await certificate(byBytes)).split('.');
    expect(holds(bytes(payload), signature)).toBe(true);
    expect(holds(payload, signature)).toBe(false);

    const segment = { certificateEncoding: 'token', signingInput: 'segment' };
    const [payload2 = '', signature2] = String(await certificate(segment)).split('.');
    expect(holds(payload2, signature2)).toBe(true);
    expect(holds(bytes(payload2), signature2)).toBe(false);
  });

  it('compact JWS with EdDSA', async () => {
    const token = String(await certificate({ certificateEncoding: 'jws' }));
    const [header = '', payload = '', signature] = token.split('.');
    expect(JSON.parse(bytes(header).toString())).toEqual({ alg: 'EdDSA', kid: rig.publicKey.id });
    expect(holds(`${header}.${payload}`, signature)).toBe(true);
    expect(claimsOf(token)).toHaveProperty('grace_until');
  });

  it('payload and signature as two members', async () => {
    const config = { certificateEncoding: 'pair', signingInput: 'payload' };
    const { payload, signature } = (await certificate(config)) as Record<string, string>;
    expect(holds(bytes(payload), signature)).toBe(true);
  });

  it('a signature member over the RFC 8785 form of all else', async () => {
    const whole = (await certificate({ certificateEncoding: 'member' })) as Record<string, unknown>;
    const { signature, ...claims } = whole;
    expect(holds(JSON.stringify(claims, Object.keys(claims).sort()), signature)).toBe(true);
  });

  it('with the key id among the claims or without, with times in ISO 8601 or in seconds', async () => {
    const plain = claimsOf(
      await certificate({ ...byBytes, keyIdInPayload: false, timeFormat: 'epoch-seconds' }),
    );
    expect(plain).not.toHaveProperty('kid');
    expect(plain['grace_until']).toBeTypeOf('number');
    const full = claimsOf(
      await certificate({ ...byBytes, keyIdInPayload: true, timeFormat: 'iso' }),
    );
    expect(full['kid']).toBe(rig.publicKey.id);
    expect(full['grace_until']).toMatch(/Z$/);
  });
});

describe('a rotated key', () => {
  it('signs what is new, while licenses and certificates of the old one still hold', async () => {
    await rig.control('config', byBytes);
    const license = await rig.issue();
    const request = licenseRequest(license);
    const before = await rig.post('/api/license/v1/activate', request);
    const { body } = await rig.control('rotate-key');
    const keys = body['keys'] as { id: string; pem: string; retiredAt: number | null }[];
    expect(keys.map(({ retiredAt }) => retiredAt === null)).toEqual([true, false]);
    expect(keys[1]?.id).toBe(rig.publicKey.id);

    const after = await rig.post('/api/license/v1/validate', request);
    const signedBy = (answer: typeof after, pem = ''): boolean => {
      const [payload, signature] = String(answer.body['activation_certificate']).split('.');
      return verify(null, bytes(payload), createPublicKey(pem), bytes(signature));
    };
    expect(signedBy(before, keys[1]?.pem)).toBe(true);
    expect(signedBy(before, keys[0]?.pem)).toBe(false);
    expect(signedBy(after, keys[0]?.pem)).toBe(true);
    expect(claimsOf(await rig.issue())['kid']).toBe(keys[0]?.id);
  });
});
