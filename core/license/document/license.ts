import type { Envelope } from '#core/license/document/envelope';
import { readMoment } from '#core/license/encoding/read-timestamp';
import type { JsonObject, JsonOddity, JsonValue } from '#core/license/encoding/strict-json';
import { omitUndefined } from '#core/omit-undefined';
import { fail, type Result, succeed } from '#core/result';

/** Names the fields of license and certificate that hold a moment. */
export type MomentName = 'issued_at' | 'expires_at';

/** Names the documents' types, as their `typ` says them where it is there. */
export const documentTypes = {
  license: 'license',
  certificate: 'activation-certificate',
} as const;

/** Names what only a certificate carries, so that nothing with one of these can be passed off as a license. */
export const certificateOnly = ['next_validation_at', 'grace_until', 'installation_id'] as const;

/**
 * Holds what a license says of itself. The spec leaves the payload open, so every field may be missing, and a payload that
 * is no JSON is a license too. JSON-safe; moments are epoch milliseconds.
 */
export interface License {
  readonly kind: 'license';
  /** The payload where it is a JSON object. */
  readonly claims?: JsonObject;
  /** The payload's text where it is text and no JSON object. */
  readonly text?: string;
  /** The payload's size. */
  readonly bytes: number;
  readonly licenseId?: string;
  readonly productSlug?: string;
  readonly domain?: string;
  readonly licenseType?: string;
  readonly keyId?: string;
  readonly issuedAt?: number;
  readonly expiresAt?: number;
  /** Ambiguities of its JSON. They fail the payload's check and change nothing else. */
  readonly oddities: readonly JsonOddity[];
  /** Dates that are there and cannot be read. */
  readonly unreadable: readonly MomentName[];
}

export type LicenseFault =
  /** It carries what only a certificate carries, so it is never a license. */
  | { readonly kind: 'certificate-fields'; readonly names: readonly string[] }
  /** Its `typ` says that it is something else. */
  | { readonly kind: 'other-type'; readonly type: string }
  /** Licenses come as `<payload>.<signature>` alone. */
  | { readonly kind: 'other-encoding' }
  /** A certificate that stands in the place of a license. */
  | { readonly kind: 'misplaced-certificate' };

export function readLicense({ encoding, payload }: Envelope): Result<License, LicenseFault> {
  if (encoding !== 'token') return fail({ kind: 'other-encoding' });
  const claims = payload.object;
  if (claims === undefined) {
    const text = payload.text === undefined ? {} : { text: payload.text };
    const { oddities } = payload;
    return succeed({
      kind: 'license',
      bytes: payload.bytes.length,
      oddities,
      unreadable: [],
      ...text,
    });
  }
  const names = certificateOnly.filter((name) => name in claims);
  if (names.length > 0) return fail({ kind: 'certificate-fields', names });
  const { typ: type } = claims;
  if (type !== undefined && type !== documentTypes.license) {
    return fail({ kind: 'other-type', type: textOfClaim(type) });
  }
  return succeed({
    kind: 'license',
    claims,
    bytes: payload.bytes.length,
    oddities: payload.oddities,
    ...readCommonFields(claims),
  });
}

interface CommonFields {
  readonly licenseId?: string;
  readonly productSlug?: string;
  readonly domain?: string;
  readonly licenseType?: string;
  readonly keyId?: string;
  readonly issuedAt?: number;
  readonly expiresAt?: number;
  readonly unreadable: readonly MomentName[];
}

/** Reads the fields that licenses and certificates share, each where it is there and can be read. */
export function readCommonFields(claims: JsonObject): CommonFields {
  const texts = {
    licenseId: textOf(claims['license_id']),
    productSlug: textOf(claims['product_slug']),
    domain: textOf(claims['domain']),
    licenseType: textOf(claims['license_type']),
    keyId: textOf(claims['kid']),
  };
  const unreadable: MomentName[] = [];
  const momentOf = (field: MomentName): number | undefined => {
    const value = claims[field];
    if (value === undefined || value === null) return undefined;
    const read = readMoment(value);
    if (!read.ok) unreadable.push(field);
    return read.ok ? read.value : undefined;
  };
  const moments = { issuedAt: momentOf('issued_at'), expiresAt: momentOf('expires_at') };
  return { ...omitUndefined({ ...texts, ...moments }), unreadable };
}

/** Reads a claim as text. Numbers count as identifiers too, but not beyond 2^53: there, different ones are read as the same. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return Math.abs(value) < 2 ** 53 ? String(value) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Writes any claim's value on one line, for a report. */
export function textOfClaim(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
