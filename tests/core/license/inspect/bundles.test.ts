import { describe, expect, it } from 'vitest';

import type { PinnedKey } from '#core/keys/index';
import {
  CERTIFICATE_CLAIMS,
  INSTALLATION,
  LICENSE_CLAIMS,
  NOW,
  pinned,
  token,
  without,
} from '#tests/core/license/documents';
import { checkOf, inspection, leads, signer } from '#tests/core/license/inspect/inspecting';
import { makeSigner } from '#tests/core/keys/sign';

const second = makeSigner(2);
const license = token(signer, LICENSE_CLAIMS);
/** The four fields of the spec and nothing more. */
const fourFields = {
  domain: 'shop.example.com',
  installation_id: INSTALLATION,
  next_validation_at: '2026-11-06T12:00:00Z',
  grace_until: '2026-12-04T00:00:00Z',
};
const other = (changes: Partial<PinnedKey> = {}): PinnedKey =>
  pinned(second, { id: 'second', label: 'Second key', ...changes });
const main = (changes: Partial<PinnedKey> = {}): PinnedKey => pinned(signer, changes);

describe('a certificate of another signer than the license', () => {
  const authority = 'https://a.example';

  it.each<[string, PinnedKey[]]>([
    ['another key', [main(), other()]],
    [
      'another authority',
      [main({ authority, products: ['harbour-theme'] }), other({ authority: 'https://b.example' })],
    ],
    ['a test key of the same authority', [main({ authority }), other({ authority, kind: 'test' })]],
    ['a key that is tied to no authority', [main({ authority }), other()]],
    [
      'a key that is linked, but tied to another authority',
      [
        main({ authority }),
        other({ authority: 'https://b.example', sameAuthorityAs: main().fingerprint }),
      ],
    ],
    [
      'a test key that is linked to a live one',
      [main(), other({ kind: 'test', sameAuthorityAs: main().fingerprint })],
    ],
  ])('leaves the license not activated: %s', async (_, keys) => {
    for (const claims of [fourFields, CERTIFICATE_CLAIMS]) {
      const foreign = token(second, claims);
      const report = await inspection([license, foreign], { keys });
      expect(report.standing).toBe('not-activated');
      expect(report.headline.tone).toBe('caution');
      expect(leads(report)).toEqual(['not-activated', 'other-signer']);
      expect(report.certificate).toBeUndefined();
      expect(report.others).toEqual([]);
      expect(report.otherCertificates).toMatchObject([
        { raw: foreign, genuine: true, because: 'other-signer', signed: { label: 'Second key' } },
      ]);
      expect(checkOf(report, 'certificate-matches-license')).toMatchObject({
        outcome: 'warn',
        reason: 'other-signer',
        data: { label: 'Second key', licenseLabel: 'Main key' },
      });
      expect(checkOf(report, 'next-validation').outcome).toBe('skip');
    }
  });

  it.each<[string, PinnedKey[]]>([
    ['by its address', [main({ authority }), other({ authority })]],
    ['by a link to the older key', [main(), other({ sameAuthorityAs: main().fingerprint })]],
    ['by a link to the newer key', [main({ sameAuthorityAs: other().fingerprint }), other()]],
    [
      'by links to a third key that was removed since',
      [main({ sameAuthorityAs: 'ab'.repeat(32) }), other({ sameAuthorityAs: 'ab'.repeat(32) })],
    ],
    [
      'by links of links',
      [
        main(),
        pinned(makeSigner(3), { id: 'third', sameAuthorityAs: main().fingerprint }),
        other({ sameAuthorityAs: pinned(makeSigner(3)).fingerprint }),
      ],
    ],
  ])('belongs to it when both keys are one authority’s: %s', async (_, keys) => {
    const report = await inspection([license, token(second, CERTIFICATE_CLAIMS)], { keys });
    expect(report.standing).toBe('activated');
    expect(leads(report)).toEqual(['activated']);
  });

  it('does not hang on keys that are linked in a circle', async () => {
    const keys = [
      main({ sameAuthorityAs: other().fingerprint }),
      other({ sameAuthorityAs: main().fingerprint }),
    ];
    const report = await inspection([license, token(second, CERTIFICATE_CLAIMS)], { keys });
    expect(report.standing).toBe('activated');
  });

  it('revives no license that has expired', async () => {
    const expired = token(signer, { ...LICENSE_CLAIMS, expires_at: '2026-10-01T00:00:00Z' });
    const report = await inspection([expired, token(second, fourFields)], {
      keys: [main(), other()],
    });
    expect(report.standing).toBe('not-activated');
    expect(leads(report)).toContain('license-expired');
  });

  it('is taken by the license of its own signer, where several licenses stand in the file', async () => {
    const theirs = token(second, { ...LICENSE_CLAIMS, license_id: 'L-2' });
    const report = await inspection([license, token(second, fourFields), theirs], {
      keys: [main(), other()],
    });
    const pairs = [report, ...report.others].map((one) => [
      one.license?.says?.licenseId,
      one.standing,
    ]);
    expect(pairs).toEqual([
      ['L-1001', 'not-activated'],
      ['L-2', 'activated'],
    ]);
  });
});

describe('a certificate that names none of several licenses', () => {
  it('stands alone, and is never tone good', async () => {
    const second = token(signer, { ...LICENSE_CLAIMS, license_id: 'L-2' });
    const report = await inspection([license, second, token(signer, fourFields)]);
    const all = [report, ...report.others];
    expect(all.map(({ standing }) => standing)).toEqual([
      'not-activated',
      'not-activated',
      'activated',
    ]);
    const alone = all[2] ?? report;
    expect(alone.license).toBeUndefined();
    expect(alone.headline.tone).toBe('caution');
    expect(leads(alone)).toEqual(['activated', 'unassigned']);
    expect(checkOf(alone, 'certificate-matches-license')).toMatchObject({
      outcome: 'warn',
      reason: 'unassigned',
    });
  });

  it('is taken by the only one of its product', async () => {
    const second = token(signer, { ...LICENSE_CLAIMS, license_id: 'L-2', product_slug: 'other' });
    const certificate = token(signer, { ...fourFields, product_slug: 'other' });
    const report = await inspection([license, second, certificate]);
    expect(report.others.map(({ standing }) => standing)).toEqual(['activated']);
    expect(report.others[0]?.license?.says?.licenseId).toBe('L-2');
  });
});

describe('a key that is limited to products', () => {
  const keys = [main({ products: ['harbour-theme'] })];
  const nameless = without(LICENSE_CLAIMS, 'product_slug');

  it('vouches for a certificate that names none beside a license that names one of them', async () => {
    const report = await inspection([license, token(signer, fourFields)], { keys });
    expect(report.standing).toBe('activated');
  });

  it.each([
    ['a license that names none', [token(signer, nameless)]],
    ['a certificate that names none', [token(signer, fourFields)]],
    ['a bundle that names none', [token(signer, nameless), token(signer, fourFields)]],
    ['a license that is text', [token(signer, 'Licensed to Ada')]],
    [
      'a license that names two',
      [token(signer, `{"product_slug":"other",${JSON.stringify(LICENSE_CLAIMS).slice(1)}`)],
    ],
  ])('does not vouch for %s', async (_, source) => {
    const report = await inspection(source, { keys });
    expect(report.standing).toBe('unverified');
    expect(report.headline.sentences[0]).toMatchObject({
      id: 'key-not-trusted',
      data: { reason: 'no-product', label: 'Main key' },
    });
    expect(checkOf(report, 'key-status')).toMatchObject({ outcome: 'fail', reason: 'no-product' });
  });

  it('counts the license’s product, not the certificate’s', async () => {
    const link = { sameAuthorityAs: main().fingerprint };
    const limited = other({ ...link, products: ['other-theme'] });
    const report = await inspection(
      [license, token(second, { ...fourFields, product_slug: 'other-theme' })],
      { keys: [main(), limited] },
    );
    expect(report.standing).toBe('unverified');
    expect(checkOf(report, 'key-status')).toMatchObject({
      outcome: 'fail',
      reason: 'other-product',
    });
  });
});

describe('what license and certificate of one signer share', () => {
  const match = async (licenseClaims: object, certificateClaims: object) => {
    const report = await inspection([
      token(signer, licenseClaims as typeof LICENSE_CLAIMS),
      token(signer, certificateClaims as typeof CERTIFICATE_CLAIMS),
    ]);
    return { report, check: checkOf(report, 'certificate-matches-license') };
  };

  it.each([
    ['its domain alone', { ...LICENSE_CLAIMS, domain: 'shop.example.com' }, fourFields],
    ['its domain alone, which the license does not name', LICENSE_CLAIMS, fourFields],
  ])('%s: activated, and a warning says so', async (_, one, two) => {
    const { report, check } = await match(one, two);
    expect(report.standing).toBe('activated');
    expect(report.headline.tone).toBe('good');
    expect(check).toMatchObject({
      outcome: 'warn',
      reason: 'domain-alone',
      data: { bound: 'shop.example.com' },
    });
  });

  it('nothing at all: a warning, and never a pass', async () => {
    const { check } = await match(without(LICENSE_CLAIMS, 'license_id', 'product_slug'), {
      ...fourFields,
      license_id: 'L-1001',
    });
    expect(check).toMatchObject({ outcome: 'warn', reason: 'nothing-shared' });
  });

  it('the license type alone ties nothing together', async () => {
    const { check } = await match(
      { typ: 'license', license_type: 'Regular' },
      { ...fourFields, license_type: 'Regular', product_slug: 'harbour-theme' },
    );
    expect(check).toMatchObject({ outcome: 'warn', reason: 'nothing-shared' });
  });

  it.each([
    ['license id', { ...CERTIFICATE_CLAIMS, license_id: 'L-2' }],
    ['product', { ...CERTIFICATE_CLAIMS, product_slug: 'other-theme' }],
    ['domain', { ...CERTIFICATE_CLAIMS, domain: 'www.shop.example.com' }],
  ])('one difference is enough: %s', async (_, claims) => {
    const { report, check } = await match(
      { ...LICENSE_CLAIMS, domain: 'shop.example.com' },
      claims,
    );
    expect(check).toMatchObject({ outcome: 'fail', reason: 'differs' });
    expect(report.headline.tone).toBe('bad');
  });

  it('license id and product: they belong together', async () => {
    const { check } = await match(LICENSE_CLAIMS, CERTIFICATE_CLAIMS);
    expect(check).toMatchObject({ outcome: 'pass', reason: 'agrees' });
  });
});

describe('a license that has expired', () => {
  const expired = { ...LICENSE_CLAIMS, expires_at: new Date(NOW).toISOString() };
  const certificate = token(signer, CERTIFICATE_CLAIMS);

  it.each([
    ['plainly', JSON.stringify(expired)],
    [
      'with a number that no reader keeps whole',
      JSON.stringify(expired).replace('{', '{"n":1e999,'),
    ],
    ['with a name twice', JSON.stringify(expired).replace('{', '{"x":1,"x":2,')],
    ['with a date that cannot be read', JSON.stringify({ ...expired, issued_at: 'soon' })],
  ])('is never tone good: %s', async (_, text) => {
    const report = await inspection([token(signer, text), certificate]);
    expect(report.standing).toBe('activated');
    expect(report.headline.tone).not.toBe('good');
    expect(leads(report)).toEqual(['license-expired', 'activated']);
  });

  it('is never tone good when its end cannot be read', async () => {
    const odd = token(signer, { ...LICENSE_CLAIMS, expires_at: 'soon' });
    expect((await inspection([odd, certificate])).headline.tone).toBe('caution');
  });

  it('is one millisecond later than one that has not', async () => {
    const report = await inspection([token(signer, expired), certificate], { now: NOW - 1 });
    expect(report.headline.tone).toBe('good');
  });
});

describe('license ids that are written as numbers', () => {
  const withId = (claims: object, id: string): string =>
    token(signer, JSON.stringify(claims).replace('"L-1001"', id));

  it('agree where they are the same', async () => {
    const report = await inspection([
      withId(LICENSE_CLAIMS, '1001'),
      withId(CERTIFICATE_CLAIMS, '1001'),
    ]);
    expect(checkOf(report, 'certificate-matches-license').data).toEqual({
      fields: 'licenseId, productSlug',
    });
  });

  it('are no evidence where reading rounds them to the same number', async () => {
    const report = await inspection([
      withId(LICENSE_CLAIMS, '9007199254740993'),
      withId(CERTIFICATE_CLAIMS, '9007199254740992'),
    ]);
    expect(report.license?.says?.licenseId).toBeUndefined();
    expect(checkOf(report, 'certificate-matches-license').data).toEqual({ fields: 'productSlug' });
  });
});
