import { expect, describe, it } from 'vitest';

import { createDocumentVerifier } from '#core/installation/document-verifier';
import type { DocumentFault } from '#core/installation/document-verifier';
import { judgeReply } from '#core/installation/judge-reply';
import type { ValidationOutcome } from '#core/installation/judge-reply';
import type { JsonValue } from '#core/license/encoding/strict-json';
import type { PinnedKey } from '#core/license/keys/pinned-key';
import { webCryptoEngine } from '#core/license/signature/engines';
import type { VerifiedCertificate } from '#core/license/verify';
import type { Result } from '#core/result';
import { succeed } from '#core/result';
import {
  CERTIFICATE_CLAIMS,
  INSTALLATION,
  LICENSE_CLAIMS,
  pinned,
  token,
  without,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/license/signature/sign';

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

describe('a certificate of another signer than the license', () => {
  const authority = 'https://a.example';

  it.each<[string, PinnedKey[]]>([
    ['another key', [main(), other()]],
    ['another authority', [main({ authority }), other({ authority: 'https://b.example' })]],
    ['a test key', [main({ authority }), other({ authority, kind: 'test' })]],
  ])('counts for nothing: %s', async (_, keys) => {
    for (const claims of [CERTIFICATE_CLAIMS, fourFields]) {
      expect(await certificateIs(keys, token(second, claims))).toEqual({
        ok: false,
        fault: { kind: 'mismatch', document: 'certificate', of: 'signer' },
      });
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
});
