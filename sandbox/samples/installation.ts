import { createHash } from 'node:crypto';

import type { JsonObject } from '#core/encoding/index';
import type { HeadlineSentence, Inspection } from '#core/license/index';
import { dayMs } from '#core/time/index';
import {
  type IssuedCertificate,
  signCertificate,
  signLicense,
  termsFrom,
} from '#sandbox/authority/documents';
import type { AuthorityKey } from '#sandbox/authority/keys';
import { type AuthorityConfig, defaultConfig } from '#sandbox/authority/settings';

/** The standing that a sample's name can promise, read as a file alone at the moment it was made. */
export const sampleStandings = [
  'not-activated',
  'activated',
  'validation-due',
  'grace',
  'denied',
  'unverified',
] as const;
export type SampleStanding = (typeof sampleStandings)[number];

/** How long ago the certificate of each standing was issued, under intervals of 7 and 14 days. */
const issuedAgo = {
  activated: 2 * dayMs,
  'validation-due': 9 * dayMs,
  grace: 9 * dayMs,
  denied: 30 * dayMs,
};

export interface SampleInstallation {
  readonly licenseId: string;
  readonly license: string;
  readonly domain: string;
  readonly productSlug: string;
  readonly installationId: string;
  certificate(standing: keyof typeof issuedAgo, form?: Partial<AuthorityConfig>): IssuedCertificate;
  /** Signs a certificate in one of the two encodings that are one token. */
  compact(standing: keyof typeof issuedAgo, encoding?: 'token' | 'jws'): string;
  /** Writes the state that an installation saves, as the verifier reads it. */
  state(standing: keyof typeof issuedAgo, form?: Partial<AuthorityConfig>): JsonObject;
}

/**
 * Makes an installation from its name. The same name has the same ids in every database, so a sample that is made later
 * is still the same license.
 * @param now epoch milliseconds
 */
export function sampleInstallation(
  name: string,
  key: AuthorityKey,
  now: number,
  claims: JsonObject = {},
): SampleInstallation {
  const licenseId = `sample-${name}`;
  const installationId = uuidFrom(name);
  const domain = 'shop.example.com';
  const productSlug = 'aurora-theme';
  const license = signLicense(
    {
      license_id: licenseId,
      product_slug: productSlug,
      license_type: 'Regular',
      purchase_code: uuidFrom(`purchase of ${name}`),
      buyer: 'Ada Example',
      issued_at: new Date(now - 400 * dayMs).toISOString(),
      sample: true,
      ...claims,
    },
    key,
    defaultConfig,
  );
  const certificate: SampleInstallation['certificate'] = (standing, form = {}) => {
    const config = { ...defaultConfig, ...form };
    const issuedAt = now - issuedAgo[standing];
    const terms = termsFrom(issuedAt, { licenseId, productSlug, domain, installationId }, config);
    return signCertificate(terms, key, config);
  };
  return {
    licenseId,
    license,
    domain,
    productSlug,
    installationId,
    certificate,
    compact(standing, certificateEncoding = 'token') {
      const token = certificate(standing, { certificateEncoding });
      if (typeof token !== 'string') throw new Error('This encoding is no single token.');
      return token;
    },
    state: (standing, form) => ({
      license,
      domain,
      product_slug: productSlug,
      installation_id: installationId,
      activation_certificate: certificate(standing, form),
      ...(standing === 'grace'
        ? { last_contact: { at: new Date(now - dayMs / 4).toISOString(), outcome: 'unreachable' } }
        : {}),
    }),
  };
}

/** Derives a UUID of version 8 (RFC 9562, section 5.8) from any text. */
function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(`sample ${text}`).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join('-');
}

export interface SampleFile {
  /** `<standing>-<what>.<extension>` */
  readonly name: string;
  readonly standing: SampleStanding;
  /** Tells people what the sample shows. */
  readonly about: string;
  readonly content: string | Uint8Array;
  /** The installation that must be registered before the authority can validate it. */
  readonly installation?: SampleInstallation;
  /** The expected headline: its tone and the ids of its sentences, the leading one first. */
  readonly judgement?: {
    readonly tone: Inspection['headline']['tone'];
    readonly sentences: readonly HeadlineSentence['id'][];
  };
  /** The authority refuses it, though the file alone does not show that. */
  readonly revoked?: boolean;
}
