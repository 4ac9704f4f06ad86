import { sign, verify } from 'node:crypto';

import * as v from 'valibot';

import { canonicalJson, type JsonObject, parseJson } from '#core/encoding/index';
import { fail, type Result, succeed } from '#core/result';
import type { AuthorityKey } from '#sandbox/authority/keys';
import type { AuthorityConfig, SegmentInput } from '#sandbox/authority/settings';

/** A certificate in the form of the reply: text, or a JSON object in the two encodings that are objects. */
export type IssuedCertificate = string | JsonObject;

/** The binding of a certificate and its deadlines; moments in epoch milliseconds. */
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

/** Signs claims as they are: `<payload>.<signature>`. */
export function signEnvelope(claims: JsonObject, key: AuthorityKey, input: SegmentInput): string {
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

export interface LicenseClaims {
  readonly licenseId: string;
  readonly productSlug: string;
  /** The only domain that it was sold for. */
  readonly domain?: string;
  /** Epoch milliseconds. */
  readonly expiresAt?: number;
}

const Claims = v.object({
  typ: v.optional(v.literal('license')),
  license_id: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  product_slug: v.string(),
  domain: v.optional(v.nullable(v.string())),
  expires_at: v.optional(v.nullable(v.union([v.string(), v.number()]))),
  // A certificate is never a license, even if the authority signed it.
  next_validation_at: v.optional(v.never()),
  grace_until: v.optional(v.never()),
  installation_id: v.optional(v.never()),
});

/**
 * Verifies a license token with the keys and returns its claims, or else a sentence with the reason. Accepts both
 * signing inputs, since the configuration may have changed since the token was signed.
 */
export function readLicense(
  token: string,
  keys: readonly AuthorityKey[],
): Result<LicenseClaims, string> {
  const [segment = '', signature = '', ...more] = token.split('.');
  const payload = decode(segment);
  const signed = decode(signature);
  if (payload === undefined || signed?.length !== 64 || more.length > 0) {
    return fail('The license is not two base64url segments joined by a dot.');
  }
  const genuine = keys.some((key) =>
    [payload, Buffer.from(segment)].some((input) => verify(null, input, key.publicKey, signed)),
  );
  if (!genuine) return fail('The signature of the license does not verify.');

  const claims = v.safeParse(Claims, parseJson(payload.toString('utf8')));
  if (!claims.success) return fail('The license does not say which license and product it is.');
  const { license_id: licenseId, product_slug: productSlug, domain, expires_at } = claims.output;
  return succeed({
    licenseId,
    productSlug,
    ...(domain == null ? {} : { domain }),
    ...(expires_at == null ? {} : { expiresAt: momentOf(expires_at) }),
  });
}

/** Reads ISO 8601 or epoch seconds; anything else counts as long past. */
function momentOf(written: string | number): number {
  const moment = typeof written === 'number' ? written * 1000 : Date.parse(written);
  return Number.isNaN(moment) ? 0 : moment;
}

function decode(segment: string): Buffer | undefined {
  const bytes = Buffer.from(segment, 'base64url');
  return segment !== '' && bytes.toString('base64url') === segment ? bytes : undefined;
}
