import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareCertificates } from '#core/license/standing';
import type { Inspection } from '#core/license/inspect/inspection';
import {
  CERTIFICATE_CLAIMS,
  INSTALLATION,
  LICENSE_CLAIMS,
  member,
  pair,
  token,
  without,
} from '#tests/core/license/documents';
import { checkOf, inspection, leads, signer } from '#tests/core/license/inspect/inspecting';
import { makeSigner } from '#tests/core/keys/sign';

const license = token(signer, LICENSE_CLAIMS);
const undated = without(CERTIFICATE_CLAIMS, 'issued_at');
/** Newest, and its deadlines are past at `NOW`. */
const denied = token(signer, {
  ...CERTIFICATE_CLAIMS,
  issued_at: '2026-11-02T00:00:00Z',
  next_validation_at: '2026-11-02T06:00:00Z',
  grace_until: '2026-11-03T00:00:00Z',
});
/** Older, with long deadlines. */
const older = token(signer, { ...CERTIFICATE_CLAIMS, issued_at: '2026-10-01T00:00:00Z' });
const between = token(signer, { ...undated, next_validation_at: '2026-11-05T00:00:00Z' });

const permutations = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one, at) => permutations(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));

describe('the newest certificate counts', () => {
  it('in whatever order they stand, with one without a date between them', async () => {
    for (const order of permutations([license, denied, between, older])) {
      const report = await inspection(order);
      expect(report.standing).toBe('denied');
      expect(report.certificate?.raw).toBe(denied);
      expect(report.otherCertificates.map(({ raw }) => raw)).toEqual([older, between]);
    }
  });

  it('a dated one before an undated one, whose different deadlines take the good tone away', async () => {
    const dated = token(signer, CERTIFICATE_CLAIMS);
    for (const order of permutations([license, dated, between])) {
      const report = await inspection(order);
      expect(report.certificate?.raw).toBe(dated);
      expect(report.standing).toBe('activated');
      expect(report.headline.tone).toBe('caution');
      expect(leads(report)).toContain('undated-certificate');
      expect(checkOf(report, 'certificate-fields')).toMatchObject({
        outcome: 'warn',
        reason: 'undated-beside',
      });
    }
  });

  it('an undated one that says the same takes nothing away', async () => {
    const report = await inspection([
      license,
      token(signer, CERTIFICATE_CLAIMS),
      token(signer, undated),
    ]);
    expect(report.headline.tone).toBe('good');
  });

  it('is one total order', () => {
    const moment = fc.constantFrom(1, 2, 3);
    const certificate = fc
      .record(
        {
          issuedAt: moment,
          nextValidationAt: moment,
          graceUntil: moment,
          raw: fc.constantFrom('a', 'b'),
        },
        { requiredKeys: ['nextValidationAt', 'graceUntil', 'raw'] },
      )
      .map(({ raw, ...rest }) => ({ ...rest, raw }));
    fc.assert(
      fc.property(certificate, certificate, certificate, (a, b, c) => {
        const [ab, bc, ac] = [
          compareCertificates(a, b),
          compareCertificates(b, c),
          compareCertificates(a, c),
        ];
        expect(Math.sign(compareCertificates(b, a)) + Math.sign(ab)).toBe(0);
        if (ab <= 0 && bc <= 0) expect(ac).toBeLessThanOrEqual(0);
        if (ab === 0) expect(a).toEqual(b);
      }),
      { numRuns: 500 },
    );
  });

  it('by date, next_validation_at, grace_until and bytes, in this order', () => {
    const one = { issuedAt: 2, nextValidationAt: 2, graceUntil: 2, raw: 'b' };
    const lesser = [
      { nextValidationAt: 9, graceUntil: 9, raw: 'z' },
      { ...one, issuedAt: 1, nextValidationAt: 9, graceUntil: 9 },
      { ...one, nextValidationAt: 1, graceUntil: 9 },
      { ...one, graceUntil: 1, raw: 'z' },
      { ...one, raw: 'a' },
    ];
    for (const other of lesser) expect(compareCertificates(other, one)).toBeLessThan(0);
    expect(compareCertificates(one, { ...one })).toBe(0);
  });
});

describe('any permutation of the same documents', () => {
  const second = INSTALLATION.replace('0b', '1b');
  const claims = {
    ...CERTIFICATE_CLAIMS,
    next_validation_at: '2026-11-04T00:00:00Z',
    issued_at: '2026-11-01T00:00:00Z',
  };
  const documents = [
    license,
    token(signer, { ...LICENSE_CLAIMS, license_id: 'L-2' }),
    token(signer, without(LICENSE_CLAIMS, 'license_id')),
    token(makeSigner(2), LICENSE_CLAIMS),
    token(signer, { ...LICENSE_CLAIMS, expires_at: '2026-10-01T00:00:00Z' }),
    denied,
    between,
    older,
    token(signer, CERTIFICATE_CLAIMS),
    token(signer, { ...undated, next_validation_at: '2026-11-07T00:00:00Z' }),
    token(signer, { ...claims, installation_id: second }),
    token(signer, { ...claims, license_id: 'L-2', domain: 'b.example' }),
    token(signer, without(claims, 'license_id')),
    token(makeSigner(2), { ...claims, license_id: 'L-2' }),
    pair(signer, claims),
    member(signer, claims),
    token(signer, without(claims, 'domain')),
    'License alone, then a certificate.',
  ];
  /** Repairs are listed as they came up. */
  const comparable = (report: Inspection): unknown => ({
    ...report,
    repairs: [],
    others: report.others.map(comparable),
  });

  it('gives the same result', async () => {
    const shuffled = fc
      .uniqueArray(fc.constantFrom(...documents), { minLength: 1, maxLength: 7 })
      .chain((some) =>
        fc.tuple(
          fc.constant(some),
          fc.shuffledSubarray(some, { minLength: some.length, maxLength: some.length }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([some, order]) => {
        expect(comparable(await inspection(order))).toEqual(comparable(await inspection(some)));
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
