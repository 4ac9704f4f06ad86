import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { fail } from '#core/result';
import { strayKey, toPem } from '#sandbox/authority/keys';
import { openSite, pin, type Site } from '#tests/core/installation/site';
import { claimsOf, type Rig, startRig } from '#tests/sandbox/authority/authority-harness';

let rig: Rig;
let site: Site;
let license: string;
const now = Date.UTC(2026, 10, 2, 9);
beforeAll(async () => {
  rig = await startRig(':memory:', () => now);
});
afterAll(() => rig.close());
beforeEach(async () => {
  await rig.control('faults', {}, 'DELETE');
  await rig.control('clock', { offsetMs: 0 });
  license = await rig.issue();
  site = openSite(rig);
});

describe('the installation id', () => {
  it('is made once, kept before anything is sent, and reused on every later call', async () => {
    await rig.control('faults', { kind: 'reset' });
    expect((await site.installation.activate(license, now)).ok).toBe(false);
    const { installation_id: id } = await site.saved();
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    await site.installation.activate(license, now);
    await site.restart().installation.activate(await rig.issue(), now);
    expect((await site.saved())['installation_id']).toBe(id);
  });

  it('survives an answer that was lost: the next activation is the same installation’s', async () => {
    await rig.control('faults', { kind: 'lost-answer' });
    expect((await site.installation.activate(license, now)).ok).toBe(false);
    expect((await site.restart().installation.activate(license, now + 1)).ok).toBe(true);
  });
});

describe('a license that does not hold', () => {
  it('is never sent', async () => {
    const [payload = '', signature = ''] = license.split('.');
    const forged = `${payload.slice(0, -2)}AA.${signature}`;
    for (const bad of ['', 'no license', payload, forged, `${license}.${signature}`]) {
      expect((await site.installation.activate(bad, now)).ok).toBe(false);
    }
    const foreign = openSite(rig, { keys: [pin(toPem(strayKey(now).publicKey))] });
    expect(await foreign.installation.activate(license, now)).toMatchObject({
      fault: { kind: 'license-not-genuine', fault: { kind: 'unknown-key' } },
    });
    expect([site.calls.activate, foreign.calls.activate]).toEqual([0, 0]);
  });

  it('is not sent for another product, or for another domain than it was sold for', async () => {
    const other = openSite(rig, { productSlug: 'borealis-theme' });
    expect(await other.installation.activate(license, now)).toMatchObject({
      fault: { kind: 'mismatch', document: 'license', of: 'product' },
    });
    const sold = await rig.issue({ domain: 'other.example.com' });
    expect(await site.installation.activate(sold, now)).toMatchObject({
      fault: { kind: 'mismatch', document: 'license', of: 'domain' },
    });
    expect([site.calls.activate, other.calls.activate]).toEqual([0, 0]);
  });

  it('is not sent under a key that was revoked', async () => {
    const revoked = openSite(rig, { keys: [pin(rig.publicKey.pem, { revoked: true })] });
    expect(await revoked.installation.activate(license, now)).toMatchObject({
      fault: { fault: { kind: 'key-revoked' } },
    });
  });
});

describe('an HTTP success', () => {
  it.each([
    ['wrong-key', { kind: 'certificate-not-genuine' }],
    ['no-certificate', { kind: 'no-certificate' }],
    ['other-domain', { kind: 'mismatch', document: 'certificate', of: 'domain' }],
    ['other-installation', { kind: 'mismatch', document: 'certificate', of: 'installation' }],
    ['other-product', { kind: 'mismatch', document: 'certificate', of: 'product' }],
    ['captive-portal', { kind: 'not-json', status: 200 }],
    ['not-json', { kind: 'not-json', status: 200 }],
    ['endless', { kind: 'too-large' }],
  ])('with %s proves nothing', async (kind, fault) => {
    await rig.control('faults', { kind });
    expect(await site.installation.activate(license, now)).toMatchObject(fail(fault));
    expect(await site.installation.permit(now)).toMatchObject({
      allowed: false,
      standing: 'not-activated',
    });
    expect(await site.saved()).not.toHaveProperty('activation_certificate');
  });
});

describe('activating again', () => {
  it('replaces the certificate by a newer one, and keeps a newer one against an older', async () => {
    await site.installation.activate(license, now);
    await rig.control('clock', { offsetMs: 60_000 });
    expect((await site.installation.activate(license, now)).ok).toBe(true);
    const { activation_certificate: newer } = await site.saved();
    await rig.control('faults', { kind: 'older-certificate' });
    expect(await site.installation.activate(license, now)).toEqual(
      fail({ kind: 'older-certificate' }),
    );
    expect((await site.saved())['activation_certificate']).toBe(newer);
    expect((await site.installation.permit(now)).allowed).toBe(true);
  });

  it('with another license that is refused keeps the one that holds', async () => {
    await site.installation.activate(license, now);
    const other = await rig.issue();
    await rig.control('revoke', { licenseId: claimsOf(other)['license_id'] });
    expect(await site.installation.activate(other, now)).toMatchObject({
      fault: { kind: 'refused' },
    });
    expect(await site.installation.permit(now)).toMatchObject({ allowed: true });
    expect((await site.saved())['license']).toBe(license);
  });

  it('with another license that is granted goes over to it', async () => {
    await site.installation.activate(license, now);
    const other = await rig.issue();
    expect(await site.installation.activate(` ${other}\r\n`, now)).toMatchObject({ ok: true });
    expect((await site.saved())['license']).toBe(other);
  });
});

describe('each encoding of a certificate', () => {
  it.each(['token', 'jws', 'pair', 'member'])(
    '%s is kept, and read again after a restart',
    async (encoding) => {
      await rig.control('config', { certificateEncoding: encoding, signingInput: 'segment' });
      license = await rig.issue();
      expect(await site.installation.activate(license, now)).toMatchObject({ ok: true });
      const permit = await site.restart().installation.permit(now + 1000);
      expect(permit).toMatchObject({
        allowed: true,
        certificate: { signed: { form: { encoding } } },
      });
      await rig.control('config', { certificateEncoding: 'token', signingInput: 'payload' });
    },
  );
});

it('an installation has no way to issue or to revoke', () => {
  expect(Object.keys(site.installation).sort()).toEqual(['activate', 'permit']);
});

it('a domain that names no host is a mistake of the program', () => {
  expect(() => openSite(rig, { domain: ' ' })).toThrow('names no host');
});
