import type { LicenseClaims } from '#sandbox/authority/read-license';
import type { Binding } from '#sandbox/authority/records';
import { asciiDomain, type ReceivedLicenseRequest } from '#sandbox/authority/requests';

/**
 * Gives an explicit no, with the HTTP status that carries it. None of 401, 404, 408, 425 and 429, which a client must
 * take for an outage.
 */
export interface Refusal {
  readonly status: 403 | 409;
  readonly msg: string;
}

/** Judges the claims of a genuine license, for activate and validate alike, before its binding is looked at. */
export function judgeClaims(
  claims: LicenseClaims,
  revocation: { readonly reason: string } | undefined,
  request: ReceivedLicenseRequest,
  at: number,
): Refusal | undefined {
  if (claims.productSlug.toLowerCase() !== request.product_slug.toLowerCase()) {
    return { status: 403, msg: 'This license is for another product.' };
  }
  if (revocation !== undefined) {
    const because = revocation.reason === '' ? '' : `: ${revocation.reason}`;
    return { status: 403, msg: `This license has been revoked${because}.` };
  }
  if (claims.expiresAt !== undefined && at >= claims.expiresAt) {
    return { status: 403, msg: 'This license has expired.' };
  }
  if (claims.domain !== undefined && asciiDomain(claims.domain) !== request.domain) {
    return { status: 403, msg: 'This license is for another domain.' };
  }
  return undefined;
}

/** Judges the binding: a license once bound is for that domain and that installation alone (spec section 4). */
export function judgeBinding(bound: Binding, request: ReceivedLicenseRequest): Refusal | undefined {
  if (bound.domain !== request.domain) {
    return { status: 409, msg: 'This license is bound to another domain.' };
  }
  if (bound.installationId !== request.installation_id) {
    return { status: 409, msg: 'This license is bound to another installation.' };
  }
  return undefined;
}
