import type { Ledger } from '#sandbox/authority/ledger';
import type { SampleFile } from '#sandbox/samples/sample-file';

/** Registers a sample's installation with the authority as activated, so that a validation finds it. */
export function registerSample(ledger: Ledger, { installation, revoked }: SampleFile): void {
  if (installation === undefined) return;
  const { license, licenseId, domain, productSlug, installationId } = installation;
  ledger.activate({
    license,
    domain,
    product_slug: productSlug,
    installation_id: installationId,
  });
  if (revoked === true) ledger.revoke(licenseId, 'the purchase was refunded', 'control');
}
