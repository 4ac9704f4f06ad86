import { exchange, type ExchangeDependencies } from '#adapters/http/http-exchange';
import type { LicenseRequest, LicensingApi } from '#core/installation/index';

/**
 * Calls a license authority over HTTP, only activate and validate (spec section 4), by the rules of `exchange`. The
 * caller decides when to retry.
 * @param authorityUrl the spec's {authority_url}, without a trailing slash
 */
export function createAuthorityHttp(
  authorityUrl: string,
  dependencies: ExchangeDependencies,
): LicensingApi {
  const call = (endpoint: string, request: LicenseRequest): ReturnType<LicensingApi['activate']> =>
    exchange(
      {
        method: 'POST',
        url: `${authorityUrl}/api/license/v1/${endpoint}`,
        body: bodyOf(request),
      },
      dependencies,
    );
  return {
    activate: (request) => call('activate', request),
    validate: (request) => call('validate', request),
  };
}

function bodyOf({ license, domain, productSlug, installationId }: LicenseRequest): object {
  return { license, domain, product_slug: productSlug, installation_id: installationId };
}
