import { sign } from 'node:crypto';

import { canonicalJson, type JsonObject } from '#core/license/encoding/strict-json';
import type { AuthorityKey } from '#sandbox/authority/keys';
import type { AuthorityConfig, SegmentInput } from '#sandbox/authority/settings';

/** Holds a certificate as it stands in the reply: text, or a JSON object in the two encodings that are objects. */
export type IssuedCertificate = string | JsonObject;

/** Says what a certificate binds and until when; moments in epoch milliseconds. */
export interface CertificateTerms {
  readonly licenseId: string;
  readonly productSlug: string;
  readonly domain: string;
  readonly installationId: string;
  readonly issuedAt: number;
  readonly nextValidationAt: number;
  readonly graceUntil: number;
}

type Form = Pick<
  AuthorityConfig,
  'certificateEncoding' | 'signingInput' | 'keyIdInPayload' | 'timeFormat'
>;

/** Returns the terms of a certificate issued at this moment. */
export function termsFrom(
  issuedAt: number,
  binding: Pick<CertificateTerms, 'licenseId' | 'productSlug' | 'domain' | 'installationId'>,
  config: Pick<AuthorityConfig, 'validationSeconds' | 'graceSeconds'>,
): CertificateTerms {
  const nextValidationAt = issuedAt + config.validationSeconds * 1000;
  return {
    ...binding,
    issuedAt,
    nextValidationAt,
    graceUntil: nextValidationAt + config.graceSeconds * 1000,
  };
}

/** Signs an activation certificate (spec section 2), in the encoding that the form asks for. */
export function signCertificate(
  terms: CertificateTerms,
  key: AuthorityKey,
  form: Form,
): IssuedCertificate {
  const moment = (at: number): string | number =>
    form.timeFormat === 'iso' ? new Date(at).toISOString() : Math.floor(at / 1000);
  const claims: JsonObject = {
    typ: 'activation-certificate',
    ...(form.keyIdInPayload ? { kid: key.id } : {}),
    license_id: terms.licenseId,
    product_slug: terms.productSlug,
    domain: terms.domain,
    installation_id: terms.installationId,
    issued_at: moment(terms.issuedAt),
    next_validation_at: moment(terms.nextValidationAt),
    grace_until: moment(terms.graceUntil),
    test: true,
  };
  switch (form.certificateEncoding) {
    case 'token':
      return signEnvelope(claims, key, form.signingInput);
    case 'jws':
      return signJws(claims, key);
    case 'pair': {
      const [payload = '', signature = ''] = signEnvelope(claims, key, form.signingInput).split(
        '.',
      );
      return { payload, signature };
    }
    case 'member':
      return { ...claims, signature: signatureOf(canonicalJson(claims), key) };
  }
}

/** Signs a license token (spec section 2): `<payload>.<signature>`. `typ`, `test` and the key id are set here. */
export function signLicense(
  claims: JsonObject,
  key: AuthorityKey,
  form: Pick<Form, 'signingInput' | 'keyIdInPayload'>,
): string {
  const marked = {
    ...claims,
    typ: 'license',
    ...(form.keyIdInPayload ? { kid: key.id } : {}),
    test: true,
  };
  return signEnvelope(marked, key, form.signingInput);
}

function signEnvelope(claims: JsonObject, key: AuthorityKey, input: SegmentInput): string {
  const payload = JSON.stringify(claims);
  const segment = Buffer.from(payload).toString('base64url');
  return `${segment}.${signatureOf(input === 'payload' ? payload : segment, key)}`;
}

function signJws(claims: JsonObject, key: AuthorityKey): string {
  const segments = [{ alg: 'EdDSA', kid: key.id }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${segments}.${signatureOf(segments, key)}`;
}

function signatureOf(text: string, key: AuthorityKey): string {
  return sign(null, Buffer.from(text), key.privateKey).toString('base64url');
}
