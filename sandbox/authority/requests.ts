import { domainToASCII } from 'node:url';

import * as v from 'valibot';

const uuid = /^[\dA-Fa-f]{8}-[\dA-Fa-f]{4}-[\dA-Fa-f]{4}-[\dA-Fa-f]{4}-[\dA-Fa-f]{12}$/;
const hostName =
  /^(?=.{1,253}$)[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?)*$/;

const Domain = v.pipe(
  v.string('must be a string'),
  v.minLength(1, 'must not be empty'),
  v.maxLength(253, 'must have 253 characters at most'),
  v.description(
    'Host name the installation is bound to: no scheme, no port. Unicode and Punycode, capitals and one trailing dot are accepted.',
  ),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const ascii = asciiDomain(dataset.value);
    if (ascii !== undefined) return ascii;
    addIssue({ message: 'must be a host name without scheme, port or path' });
    return NEVER;
  }),
);

export const ProductSlug = v.pipe(
  v.string('must be a string'),
  v.regex(/^[A-Za-z\d][A-Za-z\d._-]{0,99}$/, 'must be 1 to 100 letters, digits, dots, dashes'),
  v.description('Identifier of the product.'),
);

/** Describes what activate and validate take (spec section 2, "License request"). */
export const ReceivedLicenseRequest = v.pipe(
  v.object({
    license: v.pipe(
      v.string('must be a string'),
      v.maxLength(16_384, 'must have 16384 characters at most'),
      v.regex(/^[\w-]+\.[\w-]+$/, 'must be two base64url segments joined by a dot'),
      v.description('`<payload>.<signature>`, two base64url segments; the signature is Ed25519.'),
    ),
    domain: Domain,
    product_slug: ProductSlug,
    installation_id: v.pipe(
      v.string('must be a string'),
      v.regex(uuid, 'must be a UUID'),
      v.description('UUID, generated once by the installation and reused on every later call.'),
      v.toLowerCase(),
    ),
  }),
  v.title('License request'),
);
export type ReceivedLicenseRequest = v.InferOutput<typeof ReceivedLicenseRequest>;

/** Describes the marketplace's request for a new license (the spec shows neither request nor reply). */
export const IssueRequest = v.pipe(
  v.object({
    product_slug: ProductSlug,
    license_type: v.optional(v.pipe(v.string('must be a string'), v.nonEmpty(), v.maxLength(64))),
    purchase_code: v.optional(v.pipe(v.string('must be a string'), v.nonEmpty(), v.maxLength(128))),
    domain: v.optional(Domain),
    expires_at: v.optional(
      v.pipe(v.string('must be a string'), v.isoTimestamp('must be an ISO 8601 UTC timestamp')),
    ),
  }),
  v.title('Issue request'),
);
export type IssueRequest = v.InferOutput<typeof IssueRequest>;

/** Describes an administrator's request to revoke a license (not shown in the spec either). */
export const RevokeRequest = v.pipe(
  v.object({
    license_id: v.pipe(
      v.string('must be a string'),
      v.nonEmpty('must not be empty'),
      v.maxLength(200),
    ),
    reason: v.optional(v.pipe(v.string('must be a string'), v.maxLength(500)), ''),
  }),
  v.title('Revoke request'),
);
export type RevokeRequest = v.InferOutput<typeof RevokeRequest>;

/** Writes a host name in lower-case Punycode without a trailing dot; `undefined` if it is not one. */
export function asciiDomain(domain: string): string | undefined {
  // The conversion would silently drop invisible characters, and the parts of a URL after its host.
  if (/[\p{C}\s:/?#@\\%]/u.test(domain)) return undefined;
  const ascii = domainToASCII(domain).replace(/\.$/, '');
  return hostName.test(ascii) ? ascii : undefined;
}
