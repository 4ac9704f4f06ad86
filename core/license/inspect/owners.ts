import type { ExaminedCertificate, ExaminedLicense } from '#core/license/inspect/examine';
import { isSameAuthority } from '#core/license/keys/signing-authority';

/** Holds the license that a certificate stands beside. `isForeign`: another authority signed it, so that it says nothing of it. */
export interface Owner {
  readonly license?: ExaminedLicense;
  readonly isForeign: boolean;
}

/**
 * Finds the license that a certificate is for, by the signer and by what the documents say, never by their order.
 *
 * Only a license of the certificate's own authority can be its license. Among several: the one whose `license_id` it names,
 * else the one in the same saved state, else the only one of its product or domain; else none.
 */
export function ownerOf(
  certificate: ExaminedCertificate,
  licenses: readonly ExaminedLicense[],
): Owner {
  const signer = certificate.verified?.signed.authority;
  const genuine = licenses.filter(({ verified }) => verified !== undefined);
  if (signer === undefined || genuine.length === 0) {
    return ownOf(choose(certificate, licenses, licenses.length === 1));
  }
  const ofSigner = genuine.filter(
    ({ verified }) => verified !== undefined && isSameAuthority(verified.signed.authority, signer),
  );
  if (ofSigner.length > 0) return ownOf(choose(certificate, ofSigner, licenses.length === 1));
  const beside = choose(certificate, genuine, false) ?? genuine[0];
  return { isForeign: true, ...(beside !== undefined && { license: beside }) };
}

function ownOf(license: ExaminedLicense | undefined): Owner {
  return { isForeign: false, ...(license !== undefined && { license }) };
}

/** @param isOnly there is no other license in the source: it is taken whatever the certificate names, and compared with it */
function choose(
  certificate: ExaminedCertificate,
  candidates: readonly ExaminedLicense[],
  isOnly: boolean,
): ExaminedLicense | undefined {
  if (isOnly) return candidates[0];
  const id = certificate.says?.licenseId;
  if (id !== undefined && candidates.some(({ says }) => says?.licenseId !== undefined)) {
    return latestOf(candidates.filter(({ says }) => says?.licenseId === id));
  }
  const { holder } = certificate;
  return (
    onlyOne(candidates.filter((one) => holder !== undefined && one.holder === holder)) ??
    onlyOne(candidates) ??
    onlyOne(candidates.filter((one) => shares(one, certificate, 'productSlug'))) ??
    onlyOne(candidates.filter((one) => shares(one, certificate, 'domain')))
  );
}

/** Returns the latest license: the same one may have been issued anew. */
function latestOf(licenses: readonly ExaminedLicense[]): ExaminedLicense | undefined {
  const dateOf = ({ says }: ExaminedLicense): number => says?.issuedAt ?? -Infinity;
  return licenses.toSorted((a, b) => {
    const [first, second] = [dateOf(a), dateOf(b)];
    return first === second ? (a.raw < b.raw ? -1 : 1) : second > first ? 1 : -1;
  })[0];
}

function onlyOne(licenses: readonly ExaminedLicense[]): ExaminedLicense | undefined {
  return licenses.length === 1 ? licenses[0] : undefined;
}

function shares(
  { says: license }: ExaminedLicense,
  { says: certificate }: ExaminedCertificate,
  field: 'productSlug' | 'domain',
): boolean {
  return license?.[field] !== undefined && license[field] === certificate?.[field];
}
