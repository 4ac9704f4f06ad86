import { expect, describe, it } from 'vitest';

import {
  createDocumentVerifier,
  type DocumentFault,
  type DocumentVerifier,
} from '#core/license/document-verifier';
import { judgeReply, type ValidationOutcome } from '#core/installation/index';
import type { JsonValue } from '#core/encoding/index';
import type { PinnedKey } from '#core/keys/index';
import { webCryptoEngine } from '#core/keys/ed25519';
import type { VerifiedCertificate } from '#core/license/verify';
import { type Result, succeed, fail } from '#core/result';
import {
  CERTIFICATE_CLAIMS,
  INSTALLATION,
  LICENSE_CLAIMS,
  pinned,
  token,
  without,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';

const signer = makeSigner(1);
const second = makeSigner(2);
const engine = webCryptoEngine(crypto.subtle);
const license = token(signer, LICENSE_CLAIMS);
const holder = { domain: 'shop.example.com', productSlug: 'harbour-theme' };
const fourFields = without(CERTIFICATE_CLAIMS, 'typ', 'license_id', 'product_slug', 'issued_at');

const verifierWith = (keys: readonly PinnedKey[]) =>
  createDocumentVerifier(holder, () => Promise.resolve({ keys, engine }));
const certificateIs = (
  keys: readonly PinnedKey[],
  certificate: string,
  written = license,
): Promise<Result<VerifiedCertificate, DocumentFault>> =>
  verifierWith(keys).certificate(certificate, written, INSTALLATION);
const main = (changes: Partial<PinnedKey> = {}): PinnedKey => pinned(signer, changes);
const other = (changes: Partial<PinnedKey> = {}): PinnedKey =>
  pinned(second, { id: 'second', ...changes });

describe('what does not count', () => {
  const verifier = verifierWith([main()]);
  const foreign = makeSigner(3);
  const licenseIs = (claims: Record<string, JsonValue>, by = signer) =>
    verifier.license(token(by, claims));
  const certificateOf = (claims: Record<string, JsonValue>, by = signer, of = license) =>
    verifier.certificate(token(by, claims), of, INSTALLATION);

  it('a license that cannot be read, or is not genuine, and why', async () => {
    expect(await verifier.license('no license')).toStrictEqual(
      fail({ kind: 'license-unreadable', fault: expect.objectContaining({}) as unknown }),
    );
    expect(await licenseIs(LICENSE_CLAIMS, foreign)).toMatchObject({
      fault: { kind: 'license-not-genuine', fault: { kind: 'no-key-matches' } },
    });
  });

  it('a license for another product or another domain', async () => {
    expect(await licenseIs({ ...LICENSE_CLAIMS, product_slug: 'other' })).toStrictEqual(
      fail({ kind: 'mismatch', document: 'license', of: 'product' }),
    );
    expect(await licenseIs({ ...LICENSE_CLAIMS, domain: 'other.example.com' })).toStrictEqual(
      fail({ kind: 'mismatch', document: 'license', of: 'domain' }),
    );
    expect((await licenseIs({ ...LICENSE_CLAIMS, domain: holder.domain })).ok).toBe(true);
    expect((await licenseIs(without(LICENSE_CLAIMS, 'product_slug'))).ok).toBe(true);
  });

  it('a certificate that cannot be read, or is not genuine, and why', async () => {
    expect(await verifier.certificate('none', license, INSTALLATION)).toStrictEqual(
      fail({ kind: 'certificate-unreadable', fault: expect.objectContaining({}) as unknown }),
    );
    expect(await certificateOf(CERTIFICATE_CLAIMS, foreign)).toMatchObject({
      fault: { kind: 'certificate-not-genuine', fault: { kind: 'no-key-matches' } },
    });
  });

  it('a certificate beside a license that does not count', async () => {
    expect(
      await verifier.certificate(token(signer, CERTIFICATE_CLAIMS), 'none', INSTALLATION),
    ).toMatchObject({ fault: { kind: 'license-unreadable' } });
  });

  it.each([
    ['domain', { domain: 'other.example.com' }],
    ['installation', { installation_id: '11111111-8a4c-7e52-9d10-5f2f6f3c1a77' }],
    ['product', { product_slug: 'other' }],
    ['license', { license_id: 'L-9999' }],
  ])('a certificate of another %s', async (of, changes) => {
    expect(await certificateOf({ ...CERTIFICATE_CLAIMS, ...changes })).toStrictEqual(
      fail({ kind: 'mismatch', document: 'certificate', of }),
    );
  });

  it('but a license id that one of the two leaves out is no difference', async () => {
    const nameless = token(signer, without(LICENSE_CLAIMS, 'license_id'));
    expect((await certificateOf(CERTIFICATE_CLAIMS, signer, nameless)).ok).toBe(true);
    expect((await certificateOf(without(CERTIFICATE_CLAIMS, 'license_id'))).ok).toBe(true);
  });
});

describe('the last verdict', () => {
  const counting = (): { verifier: DocumentVerifier; asked: () => number } => {
    let asked = 0;
    const verifier = createDocumentVerifier(holder, () => {
      asked += 1;
      return Promise.resolve({ keys: [main()], engine });
    });
    return { verifier, asked: () => asked };
  };

  it('is kept for the same bytes, and judged anew for others', async () => {
    const { verifier, asked } = counting();
    const first = await verifier.license(license);
    expect(await verifier.license(license)).toBe(first);
    expect(asked()).toBe(1);
    const other = token(signer, { ...LICENSE_CLAIMS, license_id: 'L-2' });
    expect(await verifier.license(other)).toMatchObject({ value: { licenseId: 'L-2' } });
    expect(await verifier.license(license)).toMatchObject({ value: { licenseId: 'L-1001' } });
    expect(asked()).toBe(3);
  });

  it('of a certificate is kept for the same object, license and installation alone', async () => {
    const { verifier, asked } = counting();
    const { object, oddities } = certificateObject();
    const judge = (of = license, installation = INSTALLATION, written = object) =>
      verifier.certificate({ object: written, oddities }, of, installation);
    const first = await judge();
    expect(await judge()).toBe(first);
    expect(asked()).toBe(2);
    expect(await judge(license, '11111111-8a4c-7e52-9d10-5f2f6f3c1a77')).not.toBe(first);
    expect(await judge(token(signer, { ...LICENSE_CLAIMS, note: 'other' }))).not.toBe(first);
    expect(await judge(license, INSTALLATION, { ...object })).not.toBe(first);
  });
});

/** A certificate as an object of JSON, which need not be genuine. */
function certificateObject(): { object: Record<string, JsonValue>; oddities: [] } {
  return { object: { ...CERTIFICATE_CLAIMS, signature: 'AAAA' }, oddities: [] };
}

describe('a certificate of another signer than the license', () => {
  const authority = 'https://a.example';

  it.each<[string, PinnedKey[]]>([
    ['another key', [main(), other()]],
    ['another authority', [main({ authority }), other({ authority: 'https://b.example' })]],
    ['a test key', [main({ authority }), other({ authority, kind: 'test' })]],
  ])('counts for nothing: %s', async (_, keys) => {
    for (const claims of [CERTIFICATE_CLAIMS, fourFields]) {
      expect(await certificateIs(keys, token(second, claims))).toEqual(
        fail({ kind: 'mismatch', document: 'certificate', of: 'signer' }),
      );
    }
  });

  it('counts when both keys are one authority’s', async () => {
    const linked = [main(), other({ sameAuthorityAs: main().fingerprint })];
    expect((await certificateIs(linked, token(second, CERTIFICATE_CLAIMS))).ok).toBe(true);
    const tied = [main({ authority }), other({ authority })];
    expect((await certificateIs(tied, token(second, fourFields))).ok).toBe(true);
  });
});

describe('a key that is limited to products', () => {
  it('vouches for a certificate that names none beside a license that does', async () => {
    const keys = [main({ products: ['harbour-theme'] })];
    expect((await certificateIs(keys, token(signer, fourFields))).ok).toBe(true);
  });

  it('does not vouch for a bundle that names none, whatever the installation says of itself', async () => {
    const keys = [
      main(),
      other({ products: ['harbour-theme'], sameAuthorityAs: main().fingerprint }),
    ];
    const nameless = token(signer, without(LICENSE_CLAIMS, 'product_slug'));
    expect(await certificateIs(keys, token(second, fourFields), nameless)).toMatchObject({
      fault: { kind: 'certificate-not-genuine', fault: { kind: 'no-product' } },
    });
  });
});

describe('a certificate that is to replace the present one', () => {
  const verifier = verifierWith([main()]);
  const request = { license, ...holder, installationId: INSTALLATION };
  const replyWith = async (
    present: Record<string, JsonValue>,
    fresh: Record<string, JsonValue>,
  ): Promise<ValidationOutcome> => {
    const written = token(signer, present);
    const held = await verifier.certificate(written, license, INSTALLATION);
    if (!held.ok) throw new Error(held.fault.kind);
    const body = JSON.stringify({ activation_certificate: token(signer, fresh) });
    const reply = {
      status: 200,
      contentType: 'application/json',
      body: new TextEncoder().encode(body),
    };
    const asked = { request, present: { certificate: held.value, written } };
    return judgeReply(succeed(reply), asked, verifier);
  };
  const undated = without(CERTIFICATE_CLAIMS, 'issued_at');
  const later = { next_validation_at: '2026-11-08T00:00:00Z' };

  it.each([
    ['issued later', CERTIFICATE_CLAIMS, { ...CERTIFICATE_CLAIMS, issued_at: '2026-11-02' }],
    ['due later', CERTIFICATE_CLAIMS, { ...CERTIFICATE_CLAIMS, ...later }],
    ['its grace ends later', undated, { ...undated, grace_until: '2026-12-05T00:00:00Z' }],
    ['dated, in place of one that is not', { ...undated, ...later }, CERTIFICATE_CLAIMS],
  ])('does when it is newer: %s', async (_, present, fresh) => {
    expect((await replyWith(present, fresh)).kind).toBe('granted');
    expect(await replyWith(fresh, present)).toMatchObject({
      kind: 'unavailable',
      fault: { kind: 'older-certificate' },
    });
  });

  it('does not when it is the same', async () => {
    expect((await replyWith(undated, undated)).kind).toBe('unavailable');
  });

  it('keeps the authority’s wish when it brings nothing', async () => {
    const asked = { request };
    const reply = { status: 503, contentType: '', body: new Uint8Array() };
    expect(await judgeReply(succeed({ ...reply, retryAt: 7000 }), asked, verifier)).toStrictEqual({
      kind: 'unavailable',
      fault: { kind: 'not-json', status: 503 },
      retryAt: 7000,
    });
    expect(await judgeReply(succeed(reply), asked, verifier)).toStrictEqual({
      kind: 'unavailable',
      fault: { kind: 'not-json', status: 503 },
    });
  });

  it('is told from its equal by its bytes, as a token and as an object', async () => {
    const held = await verifier.certificate(token(signer, undated), license, INSTALLATION);
    if (!held.ok) throw new Error(held.fault.kind);
    const fresh = token(signer, { ...undated, note: 'z' });
    const body = JSON.stringify({ activation_certificate: fresh });
    const reply = { status: 200, contentType: '', body: new TextEncoder().encode(body) };
    const outcomeOver = async (written: string | Record<string, JsonValue>): Promise<string> => {
      const present = { certificate: held.value, written };
      return (await judgeReply(succeed(reply), { request, present }, verifier)).kind;
    };
    expect(await outcomeOver('')).toBe('granted');
    expect(await outcomeOver('zzz')).toBe('unavailable');
    expect(await outcomeOver({ a: 1 })).toBe('unavailable');
  });
});
