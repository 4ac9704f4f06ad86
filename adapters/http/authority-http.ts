import type { ExchangeDependencies } from '#adapters/http/http-exchange';
import { exchange } from '#adapters/http/http-exchange';
import type { Authority, LicenseRequest } from '#core/installation/ports';

/**
 * A license authority over HTTP: activate and validate (spec section 4), and no other call, by the rules of `exchange`. When
 * to ask again is the installation's own affair.
 * @param authorityUrl the spec's {authority_url}, without a slash at its end
 */
export function createAuthorityHttp(
  authorityUrl: string,
  outside: ExchangeDependencies,
): Authority {
  const call = (endpoint: string, request: LicenseRequest): ReturnType<Authority['activate']> =>
    exchange(
      {
        method: 'POST',
        url: `${authorityUrl}/api/license/v1/${endpoint}`,
        body: bodyOf(request),
      },
      outside,
    );
  return {
    activate: (request) => call('activate', request),
    validate: (request) => call('validate', request),
  };
}

function bodyOf({ license, domain, productSlug, installationId }: LicenseRequest): object {
  return { license, domain, product_slug: productSlug, installation_id: installationId };
}
