import { describe, expect, it } from 'vitest';

import { parseCertificate, parseDocument, parseLicense } from '#core/license/document/document';
import type { JsonValue } from '#core/encoding/index';
import {
  CERTIFICATE_CLAIMS,
  INSTALLATION,
  LICENSE_CLAIMS,
  jws,
  member,
  token,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';

const signer = makeSigner(1);
const fault = (fields: object): object => ({ ok: false, fault: fields });
const claimed = (changes: Readonly<Record<string, JsonValue>>): string =>
  token(signer, { ...CERTIFICATE_CLAIMS, ...changes });
const rawJson = (claims: object, more: string): string =>
  token(signer, JSON.stringify(claims).replace('{', `{${more},`));

describe('the size', () => {
  it('of a license token is 16 KiB at most', () => {
    expect(parseLicense('A'.repeat(16_384))).toEqual(fault({ kind: 'not-an-envelope' }));
    expect(parseLicense('A'.repeat(16_385))).toEqual(
      fault({ kind: 'too-large', limitBytes: 16_384 }),
    );
  });

  it('of a certificate is 64 KiB at most, as text or as the payload of an object', () => {
    const large = { kind: 'too-large', limitBytes: 65_536 };
    expect(parseCertificate('A'.repeat(65_536))).toEqual(fault({ kind: 'not-an-envelope' }));
    expect(parseCertificate('A'.repeat(65_537))).toEqual(fault(large));
    const { signature } = JSON.parse(member(signer, {})) as { signature: string };
    const objectOf = (length: number): object => {
      const payload = `{"a":"${'x'.repeat(length - 8)}"}`;
      return parseCertificate({ object: { payload, signature }, oddities: [] });
    };
    expect(objectOf(65_536)).toMatchObject(fault({ kind: 'missing-fields' }));
    expect(objectOf(65_537)).toEqual(fault(large));
  });

  it('of a document that is a license is that of a license', () => {
    const long = token(signer, { ...LICENSE_CLAIMS, padding: 'x'.repeat(16_384) });
    expect(parseDocument(long)).toEqual({
      kind: 'license',
      document: fault({ kind: 'too-large', limitBytes: 16_384 }),
    });
  });
});

describe('what a document is', () => {
  it.each([
    ['two parts that cannot be read', 'a.b', 'license'],
    ['one part', 'abcd', 'certificate'],
    ['three parts that cannot be read', 'a.b.c', 'certificate'],
    ['a token without JSON', token(signer, 'an order'), 'license'],
    ['a token of a type of its own', token(signer, { typ: 'voucher' }), 'license'],
    [
      'a token that calls itself a certificate',
      token(signer, { typ: 'activation-certificate' }),
      'certificate',
    ],
    [
      'a token with one field of certificates',
      token(signer, { grace_until: '2026-12-04' }),
      'certificate',
    ],
    ['a license as JWS', jws(signer, LICENSE_CLAIMS), 'certificate'],
  ])('%s is sorted as it looks', (_name, text, kind) => {
    expect(parseDocument(text).kind).toBe(kind);
  });

  it.each([
    ['license', LICENSE_CLAIMS],
    ['certificate', CERTIFICATE_CLAIMS],
  ])('a byte order mark before its JSON makes it nothing else: %s', (kind, claims) => {
    const text = token(signer, `\uFEFF${JSON.stringify(claims)}`);
    expect(parseDocument(text)).toMatchObject({ kind, document: { ok: true } });
  });

  it('an object without a signature is taken for a certificate', () => {
    expect(parseDocument({ object: {}, oddities: [] })).toEqual({
      kind: 'certificate',
      document: fault({ kind: 'not-an-envelope' }),
    });
  });

  it.each([
    [
      'a license in the place of a certificate',
      token(signer, LICENSE_CLAIMS),
      'certificate',
      'misplaced-license',
    ],
    [
      'text in the place of a certificate',
      token(signer, 'an order'),
      'certificate',
      'not-an-object',
    ],
    [
      'a certificate in the place of a license',
      token(signer, CERTIFICATE_CLAIMS),
      'license',
      'misplaced-certificate',
    ],
    [
      'a certificate as JWS there',
      jws(signer, CERTIFICATE_CLAIMS),
      'license',
      'misplaced-certificate',
    ],
    [
      'a JWS with one field of certificates there',
      jws(signer, { domain: 'a.example', grace_until: 1 }),
      'license',
      'misplaced-certificate',
    ],
    ['a license as JWS there', jws(signer, LICENSE_CLAIMS), 'license', 'other-encoding'],
    ['a JWS without a type there', jws(signer, { license_id: 'L' }), 'license', 'other-encoding'],
    ['a JWS without JSON there', jws(signer, 'an order'), 'license', 'other-encoding'],
    ['what cannot be opened there', 'a.b.c', 'license', 'bad-base64url'],
  ] as const)('%s is named', (_name, text, meant, kind) => {
    expect(parseDocument(text, meant)).toMatchObject({
      kind: meant,
      document: fault({ kind }),
    });
  });
});

describe('a license', () => {
  it.each([
    ['as JWS', jws(signer, LICENSE_CLAIMS), { kind: 'other-encoding' }],
    [
      'with fields of certificates',
      token(signer, { grace_until: 1, installation_id: 'x' }),
      { kind: 'certificate-fields', names: ['grace_until', 'installation_id'] },
    ],
    ['of another type', token(signer, { typ: 'voucher' }), { kind: 'other-type', type: 'voucher' }],
    ['whose type is no text', token(signer, { typ: ['x'] }), { kind: 'other-type', type: '["x"]' }],
  ])('%s is refused', (_name, text, expected) => {
    expect(parseLicense(text)).toEqual(fault(expected));
  });

  it('is read field by field, numbers as text', () => {
    const parsed = parseLicense(
      token(signer, {
        license_id: 7,
        product_slug: '',
        license_type: 'Regular',
        kid: true,
        issued_at: null,
      }),
    );
    expect(parsed.ok && parsed.value.content).toEqual({
      kind: 'license',
      claims: {
        license_id: 7,
        product_slug: '',
        license_type: 'Regular',
        kid: true,
        issued_at: null,
      },
      bytes: 87,
      oddities: [],
      licenseId: '7',
      licenseType: 'Regular',
      unreadable: [],
    });
  });

  it('without JSON is its text, and without text its size', () => {
    const licenseOf = (payload: string | Uint8Array): unknown => {
      const parsed = parseLicense(token(signer, payload));
      return parsed.ok && Object.entries(parsed.value.content);
    };
    expect(licenseOf('an order')).toEqual(
      Object.entries({ kind: 'license', bytes: 8, oddities: [], unreadable: [], text: 'an order' }),
    );
    expect(licenseOf(new Uint8Array([0xff]))).toEqual(
      Object.entries({ kind: 'license', bytes: 1, oddities: [], unreadable: [] }),
    );
  });
});

describe('a certificate', () => {
  it.each([
    ['without JSON', token(signer, 'an order'), { kind: 'not-an-object' }],
    [
      'with a name twice',
      rawJson(CERTIFICATE_CLAIMS, '"domain":"other.example"'),
      { kind: 'ambiguous-json', oddities: ['duplicate-name'] },
    ],
    ['of another type', claimed({ typ: 'voucher' }), { kind: 'other-type', type: 'voucher' }],
    [
      'without two fields',
      claimed({ domain: '', grace_until: null }),
      { kind: 'missing-fields', fields: ['domain', 'grace_until'] },
    ],
    [
      'for a number',
      claimed({ domain: 7 }),
      { kind: 'unreadable-field', field: 'domain', because: 'not-a-domain' },
    ],
    [
      'for no UUID',
      claimed({ installation_id: 'x' }),
      { kind: 'unreadable-field', field: 'installation_id', because: 'not-a-uuid' },
    ],
    [
      'with an odd first deadline',
      claimed({ next_validation_at: 'soon' }),
      { kind: 'unreadable-field', field: 'next_validation_at', because: 'unreadable' },
    ],
    [
      'with an odd second deadline',
      claimed({ grace_until: -1 }),
      { kind: 'unreadable-field', field: 'grace_until', because: 'out-of-range' },
    ],
    [
      'with its deadlines reversed',
      claimed({ grace_until: '2026-11-06T11:59:59Z' }),
      { kind: 'deadlines-reversed' },
    ],
  ])('%s is refused', (_name, text, expected) => {
    expect(parseCertificate(text)).toEqual(fault(expected));
  });

  it('with an inexact number beside its fields, or with one moment for both deadlines, is read', () => {
    expect(parseCertificate(rawJson(CERTIFICATE_CLAIMS, '"serial":1e400'))).toMatchObject({
      ok: true,
    });
    expect(parseCertificate(claimed({ grace_until: '2026-11-06T12:00:00Z' }))).toMatchObject({
      value: { content: { kind: 'certificate', installationId: INSTALLATION } },
    });
  });
});
