import { describe, expect, it } from 'vitest';

import {
  CERTIFICATE_CLAIMS,
  LICENSE_CLAIMS,
  jws,
  member,
  pair,
  token,
} from '#tests/core/license/documents';
import { checkOf, inspection, leads, signer } from '#tests/core/license/inspect/inspecting';

const license = token(signer, LICENSE_CLAIMS);
const certificate = token(signer, CERTIFICATE_CLAIMS);
const second = token(signer, { ...LICENSE_CLAIMS, license_id: 'L-2' });
const state = (activation_certificate: unknown, first: unknown = license): string =>
  JSON.stringify({ license: first, activation_certificate });

const [header = '', payload = '', signature = ''] = jws(signer, CERTIFICATE_CLAIMS).split('.');
const none = `${btoa('{"alg":"none"}').replace(/=+$/, '')}.${payload}.`;

describe('what stands in the certificate’s place', () => {
  it.each([
    ['a JWS that asks not to be verified', none, 'jws-header'],
    [
      'a JWS with another algorithm',
      jws(signer, CERTIFICATE_CLAIMS, { alg: 'HS256' }),
      'jws-header',
    ],
    ['a JWS without its signature', `${header}.${payload}.`, 'bad-base64url|signature-length'],
    [
      'a JWS that was cut off',
      `${header}.${payload}.${signature.slice(0, 30)}`,
      'bad-base64url|signature-length',
    ],
    ['a token that was cut off', certificate.slice(0, -20), 'bad-base64url'],
    ['a token without a payload', certificate.slice(certificate.indexOf('.')), 'bad-base64url'],
    ['four segments', `${certificate}.${certificate}`, 'not-an-envelope'],
    ['a word', 'gone', 'not-an-envelope'],
    [
      'a sentence',
      'It was never activated, says the customer, or so it seems.',
      'not-an-envelope|signature-length',
    ],
    ['an empty object', {}, 'not-an-envelope'],
  ])('is one document, whose checks fail with the reason: %s', async (_, slot, reason) => {
    const report = await inspection(state(slot));
    expect(report.standing).toBe('unverified');
    expect(report.others).toEqual([]);
    expect(report.license?.raw).toBe(license);
    expect(report.certificate?.genuine).toBe(false);
    const check = checkOf(report, 'certificate-signature');
    expect(check.outcome).toBe('fail');
    expect(check.reason).toMatch(new RegExp(`^(?:${reason})$`));
    expect(leads(report)[0]).toBe('certificate-unreadable');
  });

  it.each([
    ['the same license', license],
    ['another license', second],
    ['a license wrapped by mail', second.replace(/(.{60})/g, '$1\r\n')],
  ])('is called a license when it is one: %s', async (_, slot) => {
    const report = await inspection(state(slot));
    expect(report.standing).toBe('unverified');
    expect(report.others).toEqual([]);
    expect(report.license?.says?.licenseId).toBe('L-1001');
    expect(checkOf(report, 'certificate-fields')).toMatchObject({
      outcome: 'fail',
      reason: 'misplaced-license',
    });
    expect(report.headline.sentences[0]).toMatchObject({
      id: 'certificate-unreadable',
      data: { reason: 'misplaced-license' },
    });
  });

  it('is a certificate in any encoding, wrapped or not', async () => {
    for (const slot of [
      certificate,
      certificate.replace(/(.{60})/g, '$1\n'),
      jws(signer, CERTIFICATE_CLAIMS),
      pair(signer, CERTIFICATE_CLAIMS),
      member(signer, CERTIFICATE_CLAIMS),
      JSON.parse(member(signer, CERTIFICATE_CLAIMS)),
    ]) {
      expect((await inspection(state(slot))).standing).toBe('activated');
    }
  });
});

describe('what stands in the license’s place', () => {
  it.each([
    ['the same certificate', certificate],
    ['a JWS certificate', jws(signer, CERTIFICATE_CLAIMS)],
    ['a member-form certificate', JSON.parse(member(signer, CERTIFICATE_CLAIMS)) as unknown],
  ])('is called a certificate when it is one: %s', async (_, slot) => {
    const report = await inspection(state(certificate, slot));
    expect(report.standing).toBe('unverified');
    expect(report.others).toEqual([]);
    expect(report.certificate?.genuine).toBe(true);
    expect(checkOf(report, 'license-payload')).toMatchObject({
      outcome: 'fail',
      reason: 'misplaced-certificate',
    });
  });

  it('is no license in three segments that cannot be read', async () => {
    const report = await inspection(state(certificate, none));
    expect(report.others).toEqual([]);
    expect(report.license?.fault?.kind).toBe('jws-header');
    expect(checkOf(report, 'license-signature').outcome).toBe('fail');
  });
});

it('a list of saved states gives each license its own certificate', async () => {
  const bare = (domain: string) => ({
    domain,
    installation_id: CERTIFICATE_CLAIMS['installation_id'] ?? '',
    next_validation_at: '2026-11-06T12:00:00Z',
    grace_until: '2026-12-04T00:00:00Z',
  });
  const states = [
    { license, activation_certificate: token(signer, bare('a.example')) },
    { license: second, activation_certificate: token(signer, bare('b.example')) },
  ];
  for (const order of [states, states.toReversed()]) {
    const report = await inspection(JSON.stringify({ installations: order }));
    expect(
      [report, ...report.others].map((one) => [
        one.license?.says?.licenseId,
        one.certificate?.says?.domain,
      ]),
    ).toEqual([
      ['L-1001', 'a.example'],
      ['L-2', 'b.example'],
    ]);
  }
});
