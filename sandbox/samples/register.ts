import type { Ledger } from '#sandbox/authority/ledger';
import type { SampleFile } from '#sandbox/samples/sample-file';

/** Makes a sample's installation known to the authority, as if it had activated itself, so that it can be asked about. */
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
