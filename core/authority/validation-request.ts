import type { LicenseRequest } from '#core/installation/ports';
import { hostOf } from '#core/license/document/domain';
import type { Expected, Inspection } from '#core/license/inspect/inspection';
import { parseInstallationId } from '#core/license/document/document';
import { fail, type Result, succeed } from '#core/result';

/** Holds a License request about one bundle. */
export interface ValidationRequest {
  readonly request: LicenseRequest;
  readonly licenseId?: string;
  /** The `id` of the pinned key that verified the license. */
  readonly key: string;
}

/** Names why no request can be built. */
export type ValidationRequestFault =
  /** The license is not verified, so it must not be sent. */
  | { readonly kind: 'not-genuine' }
  | {
      readonly kind: 'missing';
      readonly fields: readonly ('domain' | 'productSlug' | 'installationId')[];
    };

/**
 * Builds the License request (spec section 2) that the installation would send. Takes each field from the bundle, its certificate or
 * license, else from `expected`.
 */
export function validationRequestOf(
  { license, certificate, stated }: Inspection,
  expected: Expected,
): Result<ValidationRequest, ValidationRequestFault> {
  if (license?.genuine !== true || license.signed === undefined) {
    return fail({ kind: 'not-genuine' });
  }
  const certified = certificate?.genuine === true ? certificate.says : undefined;
  const licensed = license.says;
  const domain = firstOf(
    hostOf,
    stated.domain,
    certified?.domain,
    licensed?.domain,
    expected.domain,
  );
  const installationId = firstOf(
    parseInstallationId,
    stated.installationId,
    certified?.installationId,
    expected.installationId,
  );
  const productSlug = firstOf(
    (text) => text.trim() || undefined,
    stated.productSlug,
    licensed?.productSlug,
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
    ...(licensed?.licenseId !== undefined && { licenseId: licensed.licenseId }),
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
