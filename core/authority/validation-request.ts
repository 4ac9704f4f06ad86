import type { LicenseRequest } from '#core/installation/ports';
import { hostOf } from '#core/license/document/domain';
import type { Expected, Inspection } from '#core/license/inspect/inspection';
import { parseInstallationId } from '#core/license/document/installation-id';
import type { Result } from '#core/result';
import { fail, succeed } from '#core/result';

/** What can be asked about one opened bundle. */
export interface ValidationRequest {
  readonly request: LicenseRequest;
  readonly licenseId?: string;
  /** The `id` in the ring of the key that vouches for the license. */
  readonly key: string;
}

export type ValidationRequestFault =
  /** What is not known to be genuine is sent nowhere. */
  | { readonly kind: 'not-genuine' }
  | {
      readonly kind: 'missing';
      readonly fields: readonly ('domain' | 'productSlug' | 'installationId')[];
    };

/**
 * Builds the License request (spec section 2) that the installation would send, from what the bundle itself says, then from its
 * certificate and license, then from what the ticket says.
 */
export function validationRequestOf(
  { license, certificate, stated }: Inspection,
  expected: Expected,
): Result<ValidationRequest, ValidationRequestFault> {
  if (license?.genuine !== true || license.signed === undefined) {
    return fail({ kind: 'not-genuine' });
  }
  const certified = certificate?.genuine === true ? certificate.says : undefined;
  const said = license.says;
  const domain = firstOf(hostOf, stated.domain, certified?.domain, said?.domain, expected.domain);
  const installationId = firstOf(
    parseInstallationId,
    stated.installationId,
    certified?.installationId,
    expected.installationId,
  );
  const productSlug = firstOf(
    (text) => text.trim() || undefined,
    stated.productSlug,
    said?.productSlug,
    certified?.productSlug,
    expected.productSlug,
  );
  if (domain === undefined || installationId === undefined || productSlug === undefined) {
    const found = { domain, productSlug, installationId };
    const fields = (['domain', 'productSlug', 'installationId'] as const).filter(
      (field) => found[field] === undefined,
    );
    return fail({ kind: 'missing', fields });
  }
  return succeed({
    request: { license: license.raw, domain, productSlug, installationId },
    key: license.signed.key,
    ...(said?.licenseId !== undefined && { licenseId: said.licenseId }),
  });
}

function firstOf(
  read: (text: string) => string | undefined,
  ...texts: readonly (string | undefined)[]
): string | undefined {
  for (const text of texts) {
    const value = text === undefined ? undefined : read(text);
    if (value !== undefined) return value;
  }
  return undefined;
}
