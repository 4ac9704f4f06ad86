import { describe, expect, it } from 'vitest';

import { fingerprintOf } from '#core/keys/index';
import {
  CERTIFICATE_CLAIMS,
  LICENSE_CLAIMS,
  NOW,
  pinned,
  token,
} from '#tests/core/license/documents';
import {
  certificate,
  certificateWith,
  license,
  licenseWith,
} from '#tests/core/license/inspect/cases';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';
import { makeSigner } from '#tests/core/keys/sign';

const fingerprint = fingerprintOf(signer.publicKey);
const signed = {
  key: 'main',
  label: 'Main key',
  kind: 'live',
  authority: { fingerprint, kind: 'live', group: fingerprint },
  form: { encoding: 'token', input: 'payload' },
  notes: [],
};
const stranger = makeSigner(9);

describe('what is shown of a document', () => {
  it('is all that it says, its place and its signer', async () => {
    const state = JSON.stringify({ license, activation_certificate: certificate });
    const report = await inspection(state);
    expect(Object.entries(report.license ?? {})).toEqual(
      Object.entries({
        raw: license,
        where: 'license',
        genuine: true,
        says: { ...report.license?.says },
        signed,
      }),
    );
    expect(report.license?.says).toMatchObject({ kind: 'license', claims: LICENSE_CLAIMS });
    expect(Object.entries(report.certificate ?? {})).toEqual(
      Object.entries({
        raw: certificate,
        where: 'activation_certificate',
        genuine: true,
        says: { ...report.certificate?.says },
        signed,
      }),
    );
    expect(report.certificate?.says).toMatchObject({ claims: CERTIFICATE_CLAIMS });
    expect(report).toMatchObject({ moment: NOW, repairs: [], others: [], otherCertificates: [] });
  });

  it('is why it is not believed, where nobody who is known signed it', async () => {
    const report = await inspection([
      token(stranger, LICENSE_CLAIMS),
      token(stranger, CERTIFICATE_CLAIMS),
    ]);
    const fault = { kind: 'no-key-matches', tried: 1 };
    expect(Object.keys(report.license ?? {})).toEqual(['raw', 'where', 'genuine', 'says', 'fault']);
    expect(report.license).toMatchObject({ genuine: false, where: '', fault });
    expect(Object.keys(report.certificate ?? {})).toEqual([
      'raw',
      'where',
      'genuine',
      'says',
      'fault',
    ]);
    expect(report.certificate).toMatchObject({
      genuine: false,
      fault,
      says: { kind: 'certificate' },
    });
    expect(report.forms).toEqual([]);
  });

  it('is who signed it, where it cannot be read', async () => {
    const report = await inspection([
      licenseWith({ typ: 'voucher' }),
      certificateWith({ grace_until: 'soon' }),
    ]);
    expect(report.license).toEqual({
      raw: licenseWith({ typ: 'voucher' }),
      where: '',
      genuine: false,
      signed,
      fault: { kind: 'other-type', type: 'voucher' },
    });
    expect(report.certificate).toEqual({
      raw: certificateWith({ grace_until: 'soon' }),
      where: '',
      genuine: false,
      signed,
      fault: { kind: 'unreadable-field', field: 'grace_until', because: 'unreadable' },
    });
  });

  it('is that another authority signed it, beside a license of this one', async () => {
    const other = pinned(stranger, { id: 'other', label: 'Other key' });
    const foreign = token(stranger, CERTIFICATE_CLAIMS);
    const report = await inspection([license, foreign], { keys: [pinned(signer), other] });
    expect(report.certificate).toBeUndefined();
    expect(report.otherCertificates).toMatchObject([
      { raw: foreign, genuine: true, because: 'other-signer', signed: { key: 'other' } },
    ]);
    expect(report.forms.map(({ document }) => document)).toEqual(['license']);
  });

  it('is nothing where there is none', async () => {
    const report = await inspection('hello');
    expect(Object.keys(report)).toEqual([
      'standing',
      'headline',
      'checks',
      'otherCertificates',
      'moment',
      'repairs',
      'stated',
      'forms',
      'others',
    ]);
    expect(Object.keys(report.headline)).toEqual(['tone', 'sentences', 'test']);
    expect((await inspection('')).sourceFault).toEqual({ kind: 'empty' });
  });
});

describe('a document that stands there twice', () => {
  it('counts once, in the place of its own', async () => {
    const state = JSON.stringify({ license, activation_certificate: certificate });
    for (const sources of [
      [license, certificate, state],
      [state, license, certificate],
    ]) {
      const report = await inspection(sources);
      expect([report.license?.where, report.certificate?.where]).toEqual([
        'license',
        'activation_certificate',
      ]);
      expect(report.others).toEqual([]);
    }
  });
});

describe('a license issued anew', () => {
  const anew = licenseWith({ issued_at: '2026-10-01T00:00:00Z' });

  it('is the one that its certificate stands beside, in whatever order they come', async () => {
    for (const sources of [
      [license, anew, certificate],
      [anew, license, certificate],
    ]) {
      const report = await inspection(sources);
      const beside = [report, ...report.others].find((one) => one.certificate !== undefined);
      expect(beside?.license?.raw).toBe(anew);
    }
  });
});

describe('another certificate beside the newest', () => {
  const toneBeside = async (changes: Parameters<typeof certificateWith>[0]): Promise<string> => {
    const report = await inspection([license, certificate, certificateWith(changes)]);
    return `${report.headline.tone} ${String(report.checks[3]?.reason)}`;
  };

  it('takes nothing away where it is older, whatever its deadlines', async () => {
    const older = { issued_at: '2026-10-01T00:00:00Z', grace_until: '2026-11-20T00:00:00Z' };
    expect(await toneBeside(older)).toBe('good readable');
  });

  it('takes the good tone away where it has no date and either deadline differs', async () => {
    const undated = { issued_at: null };
    expect(await toneBeside(undated)).toBe('good readable');
    expect(await toneBeside({ ...undated, grace_until: '2026-11-20T00:00:00Z' })).toBe(
      'caution undated-beside',
    );
    expect(await toneBeside({ ...undated, next_validation_at: '2026-11-05T00:00:00Z' })).toBe(
      'caution undated-beside',
    );
  });
});
