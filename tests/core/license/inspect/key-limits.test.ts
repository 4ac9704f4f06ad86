import { describe, expect, it } from 'vitest';

import type { PinnedKey } from '#core/keys/index';
import {
  CERTIFICATE_CLAIMS,
  LICENSE_CLAIMS,
  NOW,
  jws,
  pinned,
  token,
  without,
} from '#tests/core/license/documents';
import { checkOf, inspection, leads, signer } from '#tests/core/license/inspect/inspecting';
import { makeSigner } from '#tests/core/keys/sign';

const both = (license: object, certificate: object): string[] => [
  token(signer, license as typeof LICENSE_CLAIMS),
  token(signer, certificate as typeof CERTIFICATE_CLAIMS),
];

describe('a key that is limited in time', () => {
  const limits: [string, Partial<PinnedKey>][] = [
    ['from', { validFrom: 0 }],
    ['until', { validTo: NOW }],
  ];

  it.each(limits)('refuses a date of issue that cannot be read: %s', async (_, limit) => {
    const keys = [pinned(signer, limit)];
    for (const odd of ['soon', -5, {}, ['2026-09-01']] as const) {
      for (const source of [
        both({ ...LICENSE_CLAIMS, issued_at: odd }, CERTIFICATE_CLAIMS),
        both(LICENSE_CLAIMS, { ...CERTIFICATE_CLAIMS, issued_at: odd }),
      ]) {
        const report = await inspection(source, { keys });
        expect(report.standing).toBe('unverified');
        expect(checkOf(report, 'key-status')).toMatchObject({
          outcome: 'fail',
          reason: 'unreadable-issue-date',
        });
      }
    }
  });

  it('refuses a date of issue that stands in the license twice', async () => {
    const text = JSON.stringify(LICENSE_CLAIMS).replace(
      '{',
      '{"issued_at":"2030-01-01T00:00:00Z",',
    );
    const report = await inspection(token(signer, text), {
      keys: [pinned(signer, { validTo: NOW })],
    });
    expect(report.standing).toBe('unverified');
  });

  it.each(limits)('is never tone good without a date: %s', async (_, limit) => {
    const keys = [pinned(signer, limit)];
    for (const source of [
      both(without(LICENSE_CLAIMS, 'issued_at'), CERTIFICATE_CLAIMS),
      both(LICENSE_CLAIMS, without(CERTIFICATE_CLAIMS, 'issued_at')),
      both(LICENSE_CLAIMS, { ...CERTIFICATE_CLAIMS, issued_at: null }),
    ]) {
      const report = await inspection(source, { keys });
      expect(report.standing).toBe('activated');
      expect(report.headline.tone).toBe('caution');
      expect(leads(report)).toContain('undated-under-limited-key');
    }
  });

  it('is good with both dates', async () => {
    const report = await inspection(both(LICENSE_CLAIMS, CERTIFICATE_CLAIMS), {
      keys: [pinned(signer, { validFrom: 0, validTo: NOW })],
    });
    expect(report.headline.tone).toBe('good');
  });
});

describe('a document that names the key it is signed under', () => {
  const kid = '50b7a1f2c3d4e5f6';
  const forged = makeSigner(9);
  const named = { ...LICENSE_CLAIMS, kid };

  it.each([
    ['a license', token(forged, named), 'license'],
    ['a certificate', token(forged, { ...CERTIFICATE_CLAIMS, kid }), 'certificate'],
    ['a JWS by its header', jws(forged, CERTIFICATE_CLAIMS, { alg: 'EdDSA', kid }), 'certificate'],
    [
      'a certificate that lacks a field',
      token(forged, { ...without(CERTIFICATE_CLAIMS, 'domain'), kid }),
      'certificate',
    ],
  ])('is unverified, not false, when that key is not pinned: %s', async (_, source, document) => {
    const keys = [pinned(signer, { keyId: 'other' }), pinned(makeSigner(3), { id: 'third' })];
    const report = await inspection(source, { keys });
    expect(report.standing).toBe('unverified');
    expect(report.headline.tone).toBe('unknown');
    expect(leads(report)).toEqual([`${document}-unknown-key`]);
    expect(report.headline.sentences[0]?.data).toMatchObject({ keyId: '50b7…' });
    expect(checkOf(report, `${document}-signature` as 'license-signature')).toMatchObject({
      outcome: 'skip',
      reason: 'unknown-key',
      data: { keyId: kid, tried: 2 },
    });
  });

  it.each<[string, Partial<PinnedKey>]>([
    ['its id', { keyId: kid }],
    ['its fingerprint', {}],
  ])('is not genuine when it fails under that very key, known by %s', async (_, change) => {
    const key = pinned(signer, { label: 'Named', ...change });
    const id = change.keyId ?? key.fingerprint.slice(0, 16).toUpperCase();
    const report = await inspection(token(forged, { ...LICENSE_CLAIMS, kid: id }), {
      keys: [pinned(makeSigner(3), { id: 'third' }), key],
    });
    expect(leads(report)).toEqual(['license-not-genuine']);
    expect(report.headline.tone).toBe('bad');
    expect(checkOf(report, 'license-signature')).toMatchObject({
      outcome: 'fail',
      reason: 'named-key-fails',
      data: { label: 'Named' },
    });
  });

  it('fits no pinned key when it names none and every key was tried: changed, or signed by another key', async () => {
    const report = await inspection(token(forged, LICENSE_CLAIMS), {
      keys: [pinned(signer, { keyId: kid }), pinned(makeSigner(3), { id: 'third' })],
    });
    expect(leads(report)).toEqual(['license-no-key-fits']);
    expect(checkOf(report, 'license-signature')).toMatchObject({
      outcome: 'fail',
      reason: 'no-key-matches',
      data: { tried: 2 },
    });
  });

  it('is genuine under a pinned key without an id, whatever it calls it', async () => {
    expect((await inspection(token(signer, named))).standing).toBe('not-activated');
  });

  it('is bad as soon as another document in the bundle is false', async () => {
    const report = await inspection([token(forged, named), token(forged, CERTIFICATE_CLAIMS)]);
    expect(report.headline.tone).toBe('bad');
  });
});

describe('a document that is signed and cannot be read', () => {
  const odd = token(signer, { ...LICENSE_CLAIMS, typ: 'voucher' });

  it.each<[string, Partial<PinnedKey>]>([
    ['the product that it names', { products: ['harbour-theme'] }],
    ['its date of issue', { validFrom: 0 }],
  ])('is not said to lack %s', async (_, limit) => {
    const report = await inspection(odd, { keys: [pinned(signer, limit)] });
    expect(leads(report)).toEqual(['license-unreadable']);
    expect(checkOf(report, 'license-payload')).toMatchObject({ reason: 'other-type' });
    expect(checkOf(report, 'key-status')).toMatchObject({ outcome: 'pass', reason: 'live' });
  });

  it.each<[string, string, Partial<PinnedKey>]>([
    ['another product', 'other-product', { products: ['other-theme'] }],
    ['another time', 'outside-validity', { validTo: 5 }],
  ])('is told from one of %s', async (_, reason, limit) => {
    const report = await inspection(odd, { keys: [pinned(signer, limit)] });
    expect(checkOf(report, 'key-status')).toMatchObject({ outcome: 'fail', reason });
  });

  it('has no date under a limited key where it has two', async () => {
    const text = JSON.stringify(CERTIFICATE_CLAIMS).replace(
      '{',
      '{"issued_at":"2030-01-01T00:00:00Z",',
    );
    const report = await inspection(token(signer, text), {
      keys: [pinned(signer, { validTo: NOW })],
    });
    expect(checkOf(report, 'key-status')).toMatchObject({ reason: 'unreadable-issue-date' });
  });
});
