import { verify } from 'node:crypto';

import * as v from 'valibot';

import { fail, type Result, succeed } from '#core/result';
import type { AuthorityKey } from '#sandbox/authority/keys';

/** Holds the claims that this authority reads. */
export interface LicenseClaims {
  readonly licenseId: string;
  readonly productSlug: string;
  /** Sold for one domain only. */
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
  // A certificate is never a license, whoever signed it.
  next_validation_at: v.optional(v.never()),
  grace_until: v.optional(v.never()),
  installation_id: v.optional(v.never()),
});

/**
 * Verifies a license token against the keys and reads its claims; else returns a sentence with the reason. Accepts both
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

  const claims = v.safeParse(Claims, parse(payload));
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

function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    return undefined;
  }
}
